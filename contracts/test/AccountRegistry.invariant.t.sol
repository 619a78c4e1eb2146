// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {AccountRegistry} from "../src/AccountRegistry.sol";
import {Base} from "./Base.sol";

/// @dev Everything the registrar, the accounts, the owner and a stranger may try, on a few accounts so that they meet.
contract AccountRegistryHandler is Base {
    uint256 public constant ACCOUNTS = 4;

    AccountRegistry public immutable REGISTRY;

    /// @dev The record that the account wrote and did not remove, hashed; zero if there is none.
    mapping(address account => bytes32) public ownRecord;

    constructor() {
        REGISTRY = new AccountRegistry(address(this), address(0xB0B));
    }

    function record(uint256 pick, bytes32 key, bytes32 signatureHash) external {
        address registrar = REGISTRY.registrar();
        if (registrar == address(0)) return;
        bool expected = signatureHash != 0 && ownRecord[_account(pick)] == 0;
        vm.assertEq(_tryRecord(registrar, _account(pick), key, signatureHash), expected);
    }

    function recordAsStranger(address stranger, uint256 pick, bytes32 key, bytes32 signatureHash) external {
        if (stranger == REGISTRY.registrar()) return;
        vm.assertEq(_tryRecord(stranger, _account(pick), key, signatureHash), false);
    }

    function recordOwn(uint256 pick, bytes32 key) external {
        vm.prank(_account(pick));
        REGISTRY.recordOwn(_aFingerprint(key));
        ownRecord[_account(pick)] = keccak256(
            abi.encode(AccountRegistry.Record(_aFingerprint(key), 0, uint64(block.timestamp), true))
        );
    }

    function removeOwn(uint256 pick) external {
        vm.prank(_account(pick));
        try REGISTRY.removeOwn() {
            vm.assertEq(ownRecord[_account(pick)] != 0, true);
            ownRecord[_account(pick)] = 0;
        } catch {
            vm.assertEq(ownRecord[_account(pick)], 0);
        }
    }

    function setRegistrar(address next, bool paused) external {
        REGISTRY.setRegistrar(paused ? address(0) : next);
    }

    function passTime(uint16 time) external {
        vm.warp(block.timestamp + time);
    }

    function accountAt(uint256 index) external pure returns (address) {
        return _account(index);
    }

    function _tryRecord(address caller, address account, bytes32 key, bytes32 signatureHash)
        private
        returns (bool)
    {
        vm.prank(caller);
        try REGISTRY.record(account, _aFingerprint(key), signatureHash) {
            return true;
        } catch {
            return false;
        }
    }

    function _account(uint256 pick) private pure returns (address) {
        return address(uint160(0xACC0 + pick % ACCOUNTS));
    }
}

contract AccountRegistryInvariantTest is Base {
    AccountRegistryHandler private _handler;

    function setUp() public {
        _handler = new AccountRegistryHandler();
    }

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(_handler);
    }

    function invariant_OnlyTheAccountChangesARecordItWrote() external view {
        for (uint256 i = 0; i < _handler.ACCOUNTS(); ++i) {
            address account = _handler.accountAt(i);
            AccountRegistry.Record memory record = _handler.REGISTRY().recordOf(account);
            bytes32 own = _handler.ownRecord(account);
            vm.assertEq(record.byAccount, own != 0);
            if (own != 0) vm.assertEq(keccak256(abi.encode(record)), own);
        }
    }

    function invariant_ARecordIsEmptyOrComplete() external view {
        for (uint256 i = 0; i < _handler.ACCOUNTS(); ++i) {
            AccountRegistry.Record memory record = _handler.REGISTRY().recordOf(_handler.accountAt(i));
            uint256 length = record.fingerprint.length;
            vm.assertEq(length == 20 || length == 32, record.recordedAt != 0);
            vm.assertEq(record.signatureHash != 0, record.recordedAt != 0 && !record.byAccount);
        }
    }
}
