// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Fingerprint} from "./Fingerprint.sol";
import {Owned} from "./Owned.sol";

/**
 * @dev Which OpenPGP key belongs to an account.
 *
 * The service's registrar records it for accounts that never sent a transaction, on the strength of a signature whose
 * hash it leaves here; the contract does not check that signature, the reader does. An account may also speak for
 * itself, and its own word outranks the registrar's: whoever steals the registrar's key can mislead about accounts that
 * stayed silent, never about one that spoke.
 */
contract AccountRegistry is Owned {
    struct Record {
        bytes fingerprint;
        bytes32 signatureHash; // Zero when the account wrote the record: its transaction is the signature.
        uint64 recordedAt; // Block time in Unix seconds. Zero means there is no record.
        bool byAccount;
    }

    mapping(address account => Record) private _records;
    address private _registrar;

    event Recorded(address indexed account, bytes fingerprint, bytes32 signatureHash, bool byAccount);
    event Removed(address indexed account);
    event RegistrarChanged(address indexed previousRegistrar, address indexed newRegistrar);

    error NotRegistrar(address caller);
    error ZeroAccount();
    error MissingSignatureHash(address account);
    error RecordedByAccount(address account);
    error NoOwnRecord(address account);

    constructor(address initialOwner, address initialRegistrar) Owned(initialOwner) {
        _changeRegistrar(initialRegistrar);
    }

    /**
     * @dev Records `fingerprint` for `account`, in place of what the registrar recorded before. `signatureHash` is the
     * hash of the signature by which the account's owner asked for it.
     *
     * Only the registrar may call it, and not for an account whose own record stands. Emits {Recorded}.
     */
    function record(address account, bytes calldata fingerprint, bytes32 signatureHash) external {
        if (msg.sender != _registrar) revert NotRegistrar(msg.sender);
        if (account == address(0)) revert ZeroAccount();
        if (signatureHash == 0) revert MissingSignatureHash(account);
        if (_records[account].byAccount) revert RecordedByAccount(account);
        _write(account, fingerprint, signatureHash, false);
    }

    /**
     * @dev Records `fingerprint` for the caller, in place of any record, whoever wrote it. From then on the registrar
     * cannot change it, until the account calls {removeOwn}.
     *
     * Anyone may call it, for themselves. Emits {Recorded}.
     */
    function recordOwn(bytes calldata fingerprint) external {
        _write(msg.sender, fingerprint, 0, true);
    }

    /**
     * @dev Deletes the record that the caller wrote and lets the registrar write for it again.
     *
     * Only an account whose own record stands may call it. Emits {Removed}.
     */
    function removeOwn() external {
        if (!_records[msg.sender].byAccount) revert NoOwnRecord(msg.sender);
        delete _records[msg.sender];
        emit Removed(msg.sender);
    }

    /**
     * @dev Hands the registrar's pen to `newRegistrar`; the previous registrar loses it at once. With the zero address
     * nobody holds it, and accounts can still write their own records.
     *
     * Only the owner may call it. Emits {RegistrarChanged}.
     */
    function setRegistrar(address newRegistrar) external onlyOwner {
        _changeRegistrar(newRegistrar);
    }

    /**
     * @dev Returns the record of `account`; all zero if there is none. Anyone may call it.
     */
    function recordOf(address account) external view returns (Record memory) {
        return _records[account];
    }

    /**
     * @dev Returns who may call {record}; zero while that is paused. Anyone may call it.
     */
    function registrar() external view returns (address) {
        return _registrar;
    }

    function _write(address account, bytes calldata fingerprint, bytes32 signatureHash, bool byAccount)
        private
    {
        Fingerprint.check(fingerprint);
        _records[account] = Record(fingerprint, signatureHash, uint64(block.timestamp), byAccount);
        emit Recorded(account, fingerprint, signatureHash, byAccount);
    }

    function _changeRegistrar(address newRegistrar) private {
        address previousRegistrar = _registrar;
        _registrar = newRegistrar;
        emit RegistrarChanged(previousRegistrar, newRegistrar);
    }
}
