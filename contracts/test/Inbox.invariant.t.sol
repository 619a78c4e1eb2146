// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Inbox} from "../src/Inbox.sol";
import {Base} from "./Base.sol";

/// @dev Recorders come and go and record, over so few hashes that the same one comes twice, also within a batch.
contract InboxHandler is Base {
    uint256 public constant HASHES = 12;

    Inbox public immutable INBOX;

    /// @dev The first entry that was accepted for a hash, itself hashed; zero while there is none.
    mapping(bytes32 requestHash => bytes32) public firstEntry;

    /// @dev The same for roots.
    mapping(bytes32 root => bytes32) public firstRoot;

    constructor() {
        INBOX = new Inbox(address(this), new address[](0));
    }

    function record(uint256 wallet, uint256 pick, bytes32 contentDigest, address inbox) external {
        Inbox.NewEntry[] memory entries = new Inbox.NewEntry[](1);
        entries[0] = Inbox.NewEntry(_hash(pick), contentDigest, inbox);
        bool expected = _isAcceptable(wallet, entries);

        vm.prank(_wallet(wallet));
        try INBOX.record(entries[0].requestHash, contentDigest, inbox) {
            _accepted(wallet, entries, expected);
        } catch {
            vm.assertEq(expected, false);
        }
    }

    function recordBatch(uint256 wallet, uint256[4] calldata picks, uint256 size, bytes32 seed) external {
        Inbox.NewEntry[] memory entries = new Inbox.NewEntry[](size % 5);
        for (uint256 i = 0; i < entries.length; ++i) {
            entries[i] = Inbox.NewEntry(_hash(picks[i]), keccak256(abi.encode(seed, i)), address(this));
        }
        bool expected = entries.length > 0 && _isAcceptable(wallet, entries);

        vm.prank(_wallet(wallet));
        try INBOX.recordBatch(entries) {
            _accepted(wallet, entries, expected);
        } catch {
            vm.assertEq(expected, false);
        }
    }

    function recordRoot(uint256 wallet, uint256 pick, bytes32 listDigest, address inbox) external {
        bytes32 root = _hash(pick);
        bool expected = listDigest != 0 && inbox != address(0) && firstRoot[root] == 0
            && INBOX.isRecorder(_wallet(wallet));

        vm.prank(_wallet(wallet));
        try INBOX.recordRoot(root, listDigest, inbox) {
            vm.assertEq(expected, true);
            firstRoot[root] = keccak256(abi.encode(Inbox.Root(_wallet(wallet), uint64(block.number))));
        } catch {
            vm.assertEq(expected, false);
        }
    }

    function setRecorder(uint256 wallet, bool allowed) external {
        INBOX.setRecorder(_wallet(wallet), allowed);
    }

    function passBlocks(uint16 blocks) external {
        vm.roll(block.number + blocks);
    }

    function hashAt(uint256 index) external pure returns (bytes32) {
        return _hash(index);
    }

    function _isAcceptable(uint256 wallet, Inbox.NewEntry[] memory entries) private view returns (bool) {
        for (uint256 i = 0; i < entries.length; ++i) {
            if (entries[i].contentDigest == 0 || entries[i].inbox == address(0)) return false;
            if (firstEntry[entries[i].requestHash] != 0) return false;
            for (uint256 j = 0; j < i; ++j) {
                if (entries[i].requestHash == entries[j].requestHash) return false;
            }
        }
        return INBOX.isRecorder(_wallet(wallet));
    }

    function _accepted(uint256 wallet, Inbox.NewEntry[] memory entries, bool expected) private {
        vm.assertEq(expected, true);
        for (uint256 i = 0; i < entries.length; ++i) {
            Inbox.Entry memory entry = Inbox.Entry(
                entries[i].contentDigest, entries[i].inbox, _wallet(wallet), uint64(block.number)
            );
            firstEntry[entries[i].requestHash] = keccak256(abi.encode(entry));
        }
    }

    function _hash(uint256 pick) private pure returns (bytes32) {
        return keccak256(abi.encode(pick % HASHES));
    }

    function _wallet(uint256 pick) private pure returns (address) {
        return address(uint160(0x3A11E7 + pick % 3));
    }
}

contract InboxInvariantTest is Base {
    InboxHandler private _handler;

    function setUp() public {
        _handler = new InboxHandler();
    }

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(_handler);
    }

    function invariant_AnEntryOnceRecordedNeverChanges() external view {
        bytes32 noEntry = keccak256(abi.encode(Inbox.Entry(0, address(0), address(0), 0)));
        for (uint256 i = 0; i < _handler.HASHES(); ++i) {
            bytes32 first = _handler.firstEntry(_handler.hashAt(i));
            bytes32 current = keccak256(abi.encode(_handler.INBOX().entryOf(_handler.hashAt(i))));
            vm.assertEq(current, first == 0 ? noEntry : first);
        }
    }

    function invariant_ARootOnceRecordedNeverChanges() external view {
        bytes32 noRoot = keccak256(abi.encode(Inbox.Root(address(0), 0)));
        for (uint256 i = 0; i < _handler.HASHES(); ++i) {
            bytes32 first = _handler.firstRoot(_handler.hashAt(i));
            bytes32 current = keccak256(abi.encode(_handler.INBOX().rootOf(_handler.hashAt(i))));
            vm.assertEq(current, first == 0 ? noRoot : first);
        }
    }
}
