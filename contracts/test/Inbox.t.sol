// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Inbox} from "../src/Inbox.sol";
import {Owned} from "../src/Owned.sol";
import {OwnedTest} from "./OwnedTest.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

contract InboxTest is OwnedTest {
    address private constant RECORDER = address(0xB0B);
    address private constant OTHER_RECORDER = address(0xCA7);

    Inbox private _inbox;

    function setUp() public {
        address[] memory recorders = new address[](2);
        (recorders[0], recorders[1]) = (RECORDER, OTHER_RECORDER);
        _inbox = new Inbox(OWNER, recorders);
    }

    function test_StartsWithTheRecordersItIsGiven(address[] calldata recorders, address other) public {
        for (uint256 i = 0; i < recorders.length; ++i) {
            vm.assume(recorders[i] != other);
            vm.expectEmit();
            emit Inbox.RecorderSet(recorders[i], true);
        }
        Inbox made = new Inbox(OWNER, recorders);
        for (uint256 i = 0; i < recorders.length; ++i) {
            vm.assertEq(made.isRecorder(recorders[i]), true);
        }
        vm.assertEq(made.isRecorder(other), false);
    }

    function test_RefusesToStartWithoutAnOwner(address[] calldata recorders) public {
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableInvalidOwner.selector, address(0)));
        new Inbox(address(0), recorders);
    }

    function test_AnUnknownHashHasAnEmptyEntry(address reader, bytes32 requestHash) public {
        vm.prank(reader);
        _assertEntry(requestHash, Inbox.Entry(0, address(0), address(0), 0));
    }

    function test_RecordsAnEntry(Inbox.NewEntry calldata entry, uint64 height, address reader) public {
        _assumeComplete(entry);
        vm.roll(_within(height, 1, type(uint64).max));

        _expectRecorded(entry, RECORDER);
        _record(entry);

        vm.prank(reader);
        _assertEntry(
            entry.requestHash, Inbox.Entry(entry.contentDigest, entry.inbox, RECORDER, uint64(block.number))
        );
    }

    function test_RefusesASecondRecordOfTheSameHash(
        Inbox.NewEntry calldata first,
        bytes32 digest,
        address inbox
    ) public {
        _assumeComplete(first);
        vm.assume(digest != 0 && inbox != address(0));
        _record(first);

        vm.roll(block.number + 1);
        vm.expectRevert(abi.encodeWithSelector(Inbox.AlreadyRecorded.selector, first.requestHash));
        vm.prank(OTHER_RECORDER);
        _inbox.record(first.requestHash, digest, inbox);

        _assertEntry(
            first.requestHash,
            Inbox.Entry(first.contentDigest, first.inbox, RECORDER, uint64(block.number - 1))
        );
    }

    function test_RefusesARecordFromAnyoneButARecorder(address caller, Inbox.NewEntry calldata entry) public {
        vm.assume(caller != RECORDER && caller != OTHER_RECORDER);
        vm.expectRevert(abi.encodeWithSelector(Inbox.NotRecorder.selector, caller));
        vm.prank(caller);
        _inbox.record(entry.requestHash, entry.contentDigest, entry.inbox);
    }

    function test_RefusesAnEntryWithAPartMissing(Inbox.NewEntry memory entry, uint256 part) public {
        if (part % 3 == 0) entry.requestHash = 0;
        if (part % 3 == 1) entry.contentDigest = 0;
        if (part % 3 == 2) entry.inbox = address(0);
        vm.expectRevert(abi.encodeWithSelector(Inbox.IncompleteEntry.selector, entry.requestHash));
        _record(entry);
    }

    function test_RecordsABatch(bytes32 seed, uint8 size) public {
        Inbox.NewEntry[] memory entries = _aBatch(seed, _within(size, 1, 40));
        for (uint256 i = 0; i < entries.length; ++i) {
            _expectRecorded(entries[i], RECORDER);
        }
        vm.prank(RECORDER);
        _inbox.recordBatch(entries);

        for (uint256 i = 0; i < entries.length; ++i) {
            Inbox.NewEntry memory entry = entries[i];
            _assertEntry(
                entry.requestHash,
                Inbox.Entry(entry.contentDigest, entry.inbox, RECORDER, uint64(block.number))
            );
        }
    }

    function test_RefusesABatchFromAnyoneButARecorder(address caller, bytes32 seed, uint8 size) public {
        vm.assume(caller != RECORDER && caller != OTHER_RECORDER);
        Inbox.NewEntry[] memory entries = _aBatch(seed, size % 8);
        vm.expectRevert(abi.encodeWithSelector(Inbox.NotRecorder.selector, caller));
        vm.prank(caller);
        _inbox.recordBatch(entries);
    }

    function test_RefusesAnEmptyBatch() public {
        vm.expectRevert(abi.encodeWithSelector(Inbox.EmptyBatch.selector));
        vm.prank(RECORDER);
        _inbox.recordBatch(new Inbox.NewEntry[](0));
    }

    function test_RefusesTheWholeBatchForADuplicateWithinIt(bytes32 seed, uint8 size, uint8 from, uint8 to)
        public
    {
        Inbox.NewEntry[] memory entries = _aBatch(seed, _within(size, 2, 40));
        (uint256 original, uint256 copy) = (from % entries.length, to % entries.length);
        vm.assume(original != copy);
        entries[copy].requestHash = entries[original].requestHash;

        _expectWholeBatchRefused(
            entries, abi.encodeWithSelector(Inbox.AlreadyRecorded.selector, entries[original].requestHash)
        );
    }

    function test_RefusesTheWholeBatchForAnIncompleteEntry(bytes32 seed, uint8 size, uint8 which) public {
        Inbox.NewEntry[] memory entries = _aBatch(seed, _within(size, 1, 40));
        Inbox.NewEntry memory entry = entries[which % entries.length];
        entry.contentDigest = 0;

        _expectWholeBatchRefused(
            entries, abi.encodeWithSelector(Inbox.IncompleteEntry.selector, entry.requestHash)
        );
    }

    function test_RefusesTheWholeBatchForAHashRecordedBefore(bytes32 seed, uint8 size) public {
        Inbox.NewEntry[] memory entries = _aBatch(seed, _within(size, 2, 40));
        Inbox.NewEntry memory last = entries[entries.length - 1];
        _record(last);

        vm.expectRevert(abi.encodeWithSelector(Inbox.AlreadyRecorded.selector, last.requestHash));
        vm.prank(OTHER_RECORDER);
        _inbox.recordBatch(entries);
        _assertEntry(entries[0].requestHash, Inbox.Entry(0, address(0), address(0), 0));
    }

    function test_RecordsARoot(bytes32 root, bytes32 list, address inbox, uint64 height, address reader)
        public
    {
        vm.assume(root != 0 && list != 0 && inbox != address(0));
        vm.roll(_within(height, 1, type(uint64).max));

        vm.expectEmit(address(_inbox));
        emit Inbox.RootRecorded(root, inbox, RECORDER, list);
        _recordRoot(root, list, inbox);

        vm.prank(reader);
        _assertRoot(root, Inbox.Root(RECORDER, uint64(block.number)));
        _assertEntry(root, Inbox.Entry(0, address(0), address(0), 0));
    }

    function test_AnUnknownRootHasNoRecord(address reader, bytes32 root) public {
        vm.prank(reader);
        _assertRoot(root, Inbox.Root(address(0), 0));
    }

    function test_RefusesASecondRecordOfTheSameRoot(bytes32 root, bytes32 list, address inbox) public {
        vm.assume(root != 0 && list != 0 && inbox != address(0));
        _recordRoot(root, list, inbox);

        vm.roll(block.number + 1);
        vm.expectRevert(abi.encodeWithSelector(Inbox.RootAlreadyRecorded.selector, root));
        vm.prank(OTHER_RECORDER);
        _inbox.recordRoot(root, list, inbox);

        _assertRoot(root, Inbox.Root(RECORDER, uint64(block.number - 1)));
    }

    function test_RefusesARootFromAnyoneButARecorder(
        address caller,
        bytes32 root,
        bytes32 list,
        address inbox
    ) public {
        vm.assume(caller != RECORDER && caller != OTHER_RECORDER);
        vm.expectRevert(abi.encodeWithSelector(Inbox.NotRecorder.selector, caller));
        vm.prank(caller);
        _inbox.recordRoot(root, list, inbox);
    }

    function test_RefusesARootWithAPartMissing(bytes32 root, bytes32 list, address inbox, uint256 part)
        public
    {
        if (part % 3 == 0) root = 0;
        if (part % 3 == 1) list = 0;
        if (part % 3 == 2) inbox = address(0);
        vm.expectRevert(abi.encodeWithSelector(Inbox.IncompleteRoot.selector, root));
        _recordRoot(root, list, inbox);
    }

    function test_ARootAndAnEntryOfTheSameNameAreTwoRecords(Inbox.NewEntry calldata entry, bytes32 list)
        public
    {
        _assumeComplete(entry);
        vm.assume(list != 0);
        _record(entry);
        _recordRoot(entry.requestHash, list, entry.inbox);
        vm.assertEq(_inbox.rootOf(entry.requestHash).recorder, RECORDER);
        vm.assertEq(_inbox.entryOf(entry.requestHash).contentDigest, entry.contentDigest);
    }

    function test_ALeafIsUnderItsRootOnceThatIsRecorded(Inbox.NewEntry calldata one, bytes32 other) public {
        vm.assume(one.inbox != address(0));
        bytes32 leaf = keccak256(bytes.concat(keccak256(abi.encode(one))));
        bytes32 root = uint256(leaf) < uint256(other)
            ? keccak256(abi.encodePacked(leaf, other))
            : keccak256(abi.encodePacked(other, leaf));
        bytes32[] memory proof = new bytes32[](1);
        proof[0] = other;
        vm.assertEq(_inbox.isUnderRoot(one, root, proof), false);

        _recordRoot(root, "list", one.inbox);
        vm.assertEq(_inbox.isUnderRoot(one, root, proof), true);
    }

    function test_AnotherLeafIsNotUnderARoot(Inbox.NewEntry memory one, bytes32 other, uint256 part) public {
        bytes32 root = keccak256(bytes.concat(keccak256(abi.encode(one))));
        bytes32[] memory proof = new bytes32[](0);
        _recordRoot(root, "list", address(1));
        vm.assertEq(_inbox.isUnderRoot(one, root, proof), true);

        if (part % 3 == 0) one.requestHash = keccak256(abi.encode(one.requestHash));
        if (part % 3 == 1) one.contentDigest = keccak256(abi.encode(one.contentDigest));
        if (part % 3 == 2) one.inbox = address(uint160(one.inbox) ^ 1);
        vm.assertEq(_inbox.isUnderRoot(one, root, proof), false);
        proof = new bytes32[](1);
        proof[0] = other;
        vm.assertEq(_inbox.isUnderRoot(one, root, proof), false);
    }

    function test_AStoppedRecorderRecordsNoMoreRoots(bytes32 root, bytes32 next) public {
        vm.assume(root != 0 && next != 0);
        _recordRoot(root, "list", address(1));
        vm.prank(OWNER);
        _inbox.setRecorder(RECORDER, false);

        vm.expectRevert(abi.encodeWithSelector(Inbox.NotRecorder.selector, RECORDER));
        _recordRoot(next, "list", address(1));
        _assertRoot(root, Inbox.Root(RECORDER, uint64(block.number)));
    }

    function test_TheOwnerLetsAWalletRecord(address recorder, Inbox.NewEntry calldata entry) public {
        _assumeComplete(entry);
        vm.expectEmit(address(_inbox));
        emit Inbox.RecorderSet(recorder, true);
        vm.prank(OWNER);
        _inbox.setRecorder(recorder, true);
        vm.assertEq(_inbox.isRecorder(recorder), true);

        vm.prank(recorder);
        _inbox.record(entry.requestHash, entry.contentDigest, entry.inbox);
        vm.assertEq(_inbox.entryOf(entry.requestHash).recorder, recorder);
    }

    function test_AStoppedRecorderRecordsNoMoreAndItsEntriesStand(Inbox.NewEntry calldata entry, bytes32 next)
        public
    {
        _assumeComplete(entry);
        _record(entry);

        vm.expectEmit(address(_inbox));
        emit Inbox.RecorderSet(RECORDER, false);
        vm.prank(OWNER);
        _inbox.setRecorder(RECORDER, false);
        vm.assertEq(_inbox.isRecorder(RECORDER), false);
        vm.assertEq(_inbox.isRecorder(OTHER_RECORDER), true);

        vm.expectRevert(abi.encodeWithSelector(Inbox.NotRecorder.selector, RECORDER));
        vm.prank(RECORDER);
        _inbox.record(next, entry.contentDigest, entry.inbox);
        _assertEntry(
            entry.requestHash, Inbox.Entry(entry.contentDigest, entry.inbox, RECORDER, uint64(block.number))
        );
    }

    function test_RefusesAChangeOfRecordersFromAnyoneButTheOwner(
        address caller,
        address recorder,
        bool allowed
    ) public {
        vm.assume(caller != OWNER);
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, caller));
        vm.prank(caller);
        _inbox.setRecorder(recorder, allowed);
    }

    function _owned() internal view override returns (Owned) {
        return _inbox;
    }

    function _assumeComplete(Inbox.NewEntry memory entry) private pure {
        vm.assume(entry.requestHash != 0 && entry.contentDigest != 0 && entry.inbox != address(0));
    }

    function _aBatch(bytes32 seed, uint256 size) private pure returns (Inbox.NewEntry[] memory entries) {
        entries = new Inbox.NewEntry[](size);
        for (uint256 i = 0; i < size; ++i) {
            bytes32 requestHash = keccak256(abi.encode(seed, i));
            bytes32 contentDigest = sha256(abi.encode(requestHash));
            entries[i] = Inbox.NewEntry(requestHash, contentDigest, address(uint160(i + 1)));
        }
    }

    function _record(Inbox.NewEntry memory entry) private {
        vm.prank(RECORDER);
        _inbox.record(entry.requestHash, entry.contentDigest, entry.inbox);
    }

    function _recordRoot(bytes32 root, bytes32 listDigest, address inbox) private {
        vm.prank(RECORDER);
        _inbox.recordRoot(root, listDigest, inbox);
    }

    function _assertRoot(bytes32 root, Inbox.Root memory expected) private view {
        vm.assertEq(abi.encode(_inbox.rootOf(root)), abi.encode(expected));
    }

    function _expectRecorded(Inbox.NewEntry memory entry, address recorder) private {
        vm.expectEmit(address(_inbox));
        emit Inbox.Recorded(entry.requestHash, entry.inbox, recorder, entry.contentDigest);
    }

    function _expectWholeBatchRefused(Inbox.NewEntry[] memory entries, bytes memory refusal) private {
        vm.expectRevert(refusal);
        vm.prank(RECORDER);
        _inbox.recordBatch(entries);
        for (uint256 i = 0; i < entries.length; ++i) {
            _assertEntry(entries[i].requestHash, Inbox.Entry(0, address(0), address(0), 0));
        }
    }

    function _assertEntry(bytes32 requestHash, Inbox.Entry memory expected) private view {
        vm.assertEq(abi.encode(_inbox.entryOf(requestHash)), abi.encode(expected));
    }
}
