// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Fingerprint} from "./Fingerprint.sol";
import {Owned} from "./Owned.sol";

/**
 * @dev Stores the OpenPGP key of each account.
 *
 * The service's registrar records it for accounts that never sent a transaction, based on a signature whose hash it stores
 * here; readers verify that signature, the contract does not. An account can also write its own record, which takes
 * precedence over the registrar's: a stolen registrar key can write wrong records for other accounts only.
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
     * Only the registrar may call it, and not for an account with its own record. Emits {Recorded}.
     */
    function record(address account, bytes calldata fingerprint, bytes32 signatureHash) external {
        if (msg.sender != _registrar) revert NotRegistrar(msg.sender);
        if (account == address(0)) revert ZeroAccount();
        if (signatureHash == 0) revert MissingSignatureHash(account);
        if (_records[account].byAccount) revert RecordedByAccount(account);
        _write(account, fingerprint, signatureHash, false);
    }

    /**
     * @dev Records `fingerprint` for the caller and replaces any previous record. From then on the registrar
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
     * Only an account with its own record may call it. Emits {Removed}.
     */
    function removeOwn() external {
        if (!_records[msg.sender].byAccount) revert NoOwnRecord(msg.sender);
        delete _records[msg.sender];
        emit Removed(msg.sender);
    }

    /**
     * @dev Replaces the registrar with `newRegistrar` at once. With the zero address there is no registrar, and
     * accounts can still write their own records.
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
