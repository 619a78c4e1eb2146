// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {AccountRegistry} from "../src/AccountRegistry.sol";
import {Fingerprint} from "../src/Fingerprint.sol";
import {Owned} from "../src/Owned.sol";
import {OwnedTest} from "./OwnedTest.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

contract AccountRegistryTest is OwnedTest {
    address private constant REGISTRAR = address(0xB0B);

    AccountRegistry private _registry;

    function setUp() public {
        _registry = new AccountRegistry(OWNER, REGISTRAR);
    }

    function test_StartsWithTheRegistrarItIsGiven(address registrar) public {
        vm.expectEmit();
        emit AccountRegistry.RegistrarChanged(address(0), registrar);
        AccountRegistry made = new AccountRegistry(OWNER, registrar);
        vm.assertEq(made.registrar(), registrar);
    }

    function test_RefusesToStartWithoutAnOwner(address registrar) public {
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableInvalidOwner.selector, address(0)));
        new AccountRegistry(address(0), registrar);
    }

    function test_AnUnknownAccountHasAnEmptyRecord(address reader, address account) public {
        vm.prank(reader);
        _assertRecord(account, AccountRegistry.Record("", 0, 0, false));
    }

    function test_TheRegistrarRecordsAnAccount(
        address account,
        bytes32 key,
        bytes32 signatureHash,
        uint64 time
    ) public {
        vm.assume(account != address(0) && signatureHash != 0);
        vm.warp(time);

        vm.expectEmit(address(_registry));
        emit AccountRegistry.Recorded(account, _aFingerprint(key), signatureHash, false);
        _recordAsRegistrar(account, key, signatureHash);

        _assertRecord(account, AccountRegistry.Record(_aFingerprint(key), signatureHash, time, false));
    }

    function test_TheRegistrarReplacesWhatItRecorded(address account, bytes32 oldKey, bytes32 newKey) public {
        vm.assume(account != address(0));
        _recordAsRegistrar(account, oldKey, "old");
        _recordAsRegistrar(account, newKey, "new");
        _assertRecord(
            account, AccountRegistry.Record(_aFingerprint(newKey), "new", uint64(block.timestamp), false)
        );
    }

    function test_RefusesARecordFromAnyoneButTheRegistrar(address caller, address account, bytes32 key)
        public
    {
        vm.assume(caller != REGISTRAR);
        vm.expectRevert(abi.encodeWithSelector(AccountRegistry.NotRegistrar.selector, caller));
        vm.prank(caller);
        _registry.record(account, _aFingerprint(key), "signature");
    }

    function test_RefusesARecordOfTheZeroAccount(bytes32 key) public {
        vm.expectRevert(abi.encodeWithSelector(AccountRegistry.ZeroAccount.selector));
        _recordAsRegistrar(address(0), key, "signature");
    }

    function test_RefusesARecordWithoutASignatureHash(address account, bytes32 key) public {
        vm.assume(account != address(0));
        vm.expectRevert(abi.encodeWithSelector(AccountRegistry.MissingSignatureHash.selector, account));
        _recordAsRegistrar(account, key, 0);
    }

    function test_RefusesAFingerprintOfAnyOtherLength(address account, bytes calldata fingerprint) public {
        vm.assume(account != address(0) && fingerprint.length != 20 && fingerprint.length != 32);
        bytes memory refusal =
            abi.encodeWithSelector(Fingerprint.InvalidFingerprintLength.selector, fingerprint.length);

        vm.expectRevert(refusal);
        vm.prank(REGISTRAR);
        _registry.record(account, fingerprint, "signature");

        vm.expectRevert(refusal);
        vm.prank(account);
        _registry.recordOwn(fingerprint);
    }

    function test_AnAccountRecordsItself(address account, bytes32 key, uint64 time) public {
        vm.warp(time);
        vm.expectEmit(address(_registry));
        emit AccountRegistry.Recorded(account, _aFingerprint(key), 0, true);
        _recordAsAccount(account, key);
        _assertRecord(account, AccountRegistry.Record(_aFingerprint(key), 0, time, true));
    }

    function test_AnAccountOverwritesTheRegistrarsRecord(address account, bytes32 oldKey, bytes32 newKey)
        public
    {
        vm.assume(account != address(0));
        _recordAsRegistrar(account, oldKey, "signature");
        _recordAsAccount(account, newKey);
        _assertRecord(
            account, AccountRegistry.Record(_aFingerprint(newKey), 0, uint64(block.timestamp), true)
        );
    }

    function test_AnAccountReplacesItsOwnRecord(address account, bytes32 oldKey, bytes32 newKey) public {
        _recordAsAccount(account, oldKey);
        _recordAsAccount(account, newKey);
        _assertRecord(
            account, AccountRegistry.Record(_aFingerprint(newKey), 0, uint64(block.timestamp), true)
        );
    }

    // A stolen registrar key must not be able to replace an account's own word.
    function test_TheRegistrarCannotReplaceWhatTheAccountRecorded(
        address account,
        bytes32 own,
        bytes32 forged
    ) public {
        vm.assume(account != address(0));
        _recordAsAccount(account, own);
        vm.expectRevert(abi.encodeWithSelector(AccountRegistry.RecordedByAccount.selector, account));
        _recordAsRegistrar(account, forged, "signature");
    }

    function test_RemovingItsOwnRecordHandsThePenBack(address account, bytes32 own, bytes32 later) public {
        vm.assume(account != address(0));
        _recordAsAccount(account, own);

        vm.expectEmit(address(_registry));
        emit AccountRegistry.Removed(account);
        vm.prank(account);
        _registry.removeOwn();
        _assertRecord(account, AccountRegistry.Record("", 0, 0, false));

        _recordAsRegistrar(account, later, "signature");
        _assertRecord(
            account, AccountRegistry.Record(_aFingerprint(later), "signature", uint64(block.timestamp), false)
        );
    }

    function test_RefusesToRemoveWhatTheAccountDidNotWrite(address account, bytes32 key, bool recorded)
        public
    {
        vm.assume(account != address(0));
        if (recorded) _recordAsRegistrar(account, key, "signature");
        vm.expectRevert(abi.encodeWithSelector(AccountRegistry.NoOwnRecord.selector, account));
        vm.prank(account);
        _registry.removeOwn();
    }

    function test_AnAccountsWritingLeavesOtherRecordsAlone(address account, address other, bytes32 key)
        public
    {
        vm.assume(account != other);
        _recordAsAccount(other, key);
        _recordAsAccount(account, ~key);
        vm.prank(account);
        _registry.removeOwn();
        _assertRecord(other, AccountRegistry.Record(_aFingerprint(key), 0, uint64(block.timestamp), true));
    }

    function test_TheOwnerHandsThePenToANewRegistrar(address next, address account, bytes32 key) public {
        vm.assume(next != REGISTRAR && account != address(0));
        vm.expectEmit(address(_registry));
        emit AccountRegistry.RegistrarChanged(REGISTRAR, next);
        vm.prank(OWNER);
        _registry.setRegistrar(next);
        vm.assertEq(_registry.registrar(), next);

        vm.expectRevert(abi.encodeWithSelector(AccountRegistry.NotRegistrar.selector, REGISTRAR));
        _recordAsRegistrar(account, key, "signature");

        vm.prank(next);
        _registry.record(account, _aFingerprint(key), "signature");
    }

    function test_RefusesANewRegistrarFromAnyoneButTheOwner(address caller, address next) public {
        vm.assume(caller != OWNER);
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, caller));
        vm.prank(caller);
        _registry.setRegistrar(next);
    }

    function test_WithoutARegistrarOnlyAccountsRecord(address stranger, bool wasRegistrar, bytes32 key)
        public
    {
        // No transaction comes from the zero address.
        vm.assume(stranger != address(0));
        address caller = wasRegistrar ? REGISTRAR : stranger;
        vm.prank(OWNER);
        _registry.setRegistrar(address(0));
        vm.assertEq(_registry.registrar(), address(0));

        vm.expectRevert(abi.encodeWithSelector(AccountRegistry.NotRegistrar.selector, caller));
        vm.prank(caller);
        _registry.record(stranger, _aFingerprint(key), "signature");

        _recordAsAccount(stranger, key);
    }

    function _owned() internal view override returns (Owned) {
        return _registry;
    }

    function _recordAsRegistrar(address account, bytes32 key, bytes32 signatureHash) private {
        vm.prank(REGISTRAR);
        _registry.record(account, _aFingerprint(key), signatureHash);
    }

    function _recordAsAccount(address account, bytes32 key) private {
        vm.prank(account);
        _registry.recordOwn(_aFingerprint(key));
    }

    function _assertRecord(address account, AccountRegistry.Record memory expected) private view {
        vm.assertEq(abi.encode(_registry.recordOf(account)), abi.encode(expected));
    }
}
