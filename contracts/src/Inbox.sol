// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Owned} from "./Owned.sol";
import {MerkleProof} from "@openzeppelin/contracts/utils/cryptography/MerkleProof.sol";

/**
 * @dev The public trace of each request: its hash, the digest of its sealed payload, and the verification service it is
 * for. Recorded once, never changed: alone, or as a leaf of a tree whose root is recorded.
 *
 * The contract keeps a request hash from being recorded twice alone, but does not see the leaves of a root. Of several
 * records of one hash the first on the chain counts.
 *
 * Only recorders may write. The first record of a hash stands for ever, so in an open inbox a front-runner could take a
 * hash it saw in the mempool, record another digest for it, and so block the true one. There are several recorders
 * because a service signs from a pool of wallets.
 */
contract Inbox is Owned {
    struct NewEntry {
        bytes32 requestHash;
        bytes32 contentDigest;
        address inbox;
    }

    struct Entry {
        bytes32 contentDigest; // The sha2-256 digest of the sealed payload: what a CIDv1 of codec raw carries.
        address inbox;
        address recorder;
        uint64 blockNumber; // Zero means there is no entry.
    }

    struct Root {
        address recorder;
        uint64 blockNumber; // Zero means there is no such root.
    }

    mapping(bytes32 requestHash => Entry) private _entries;
    mapping(address recorder => bool) private _isRecorder;
    mapping(bytes32 root => Root) private _roots;

    event Recorded(
        bytes32 indexed requestHash, address indexed inbox, address indexed recorder, bytes32 contentDigest
    );
    /// @dev `listDigest` is the sha2-256 digest of the list of the leaves, which is pinned like a payload.
    event RootRecorded(
        bytes32 indexed root, address indexed inbox, address indexed recorder, bytes32 listDigest
    );
    event RecorderSet(address indexed recorder, bool allowed);

    error NotRecorder(address caller);
    error EmptyBatch();
    error IncompleteEntry(bytes32 requestHash);
    error AlreadyRecorded(bytes32 requestHash);
    error IncompleteRoot(bytes32 root);
    error RootAlreadyRecorded(bytes32 root);

    modifier onlyRecorder() {
        if (!_isRecorder[msg.sender]) revert NotRecorder(msg.sender);
        _;
    }

    constructor(address initialOwner, address[] memory initialRecorders) Owned(initialOwner) {
        for (uint256 i = 0; i < initialRecorders.length; ++i) {
            _setRecorder(initialRecorders[i], true);
        }
    }

    /**
     * @dev Records that the payload with `contentDigest`, of the request with `requestHash`, is for `inbox`.
     * None of the three may be zero, because a record is permanent.
     *
     * Only a recorder may call it, once per `requestHash`. Emits {Recorded}.
     */
    function record(bytes32 requestHash, bytes32 contentDigest, address inbox) external onlyRecorder {
        _record(requestHash, contentDigest, inbox);
    }

    /**
     * @dev Records all of `entries`, or none of them if one is rejected, for example a duplicate hash.
     *
     * Only a recorder may call it. Emits {Recorded} for each entry, in order.
     */
    function recordBatch(NewEntry[] calldata entries) external onlyRecorder {
        if (entries.length == 0) revert EmptyBatch();
        for (uint256 i = 0; i < entries.length; ++i) {
            _record(entries[i].requestHash, entries[i].contentDigest, entries[i].inbox);
        }
    }

    /**
     * @dev Records the root of a tree of entries, all of them for `inbox`. A leaf is the double keccak256 of the encoded
     * {NewEntry}, a node that of its two children in ascending order, as OpenZeppelin's MerkleProof expects. None of the
     * three values may be zero.
     *
     * Only a recorder may call it, once per `root`. Emits {RootRecorded}.
     */
    function recordRoot(bytes32 root, bytes32 listDigest, address inbox) external onlyRecorder {
        if (root == 0 || listDigest == 0 || inbox == address(0)) revert IncompleteRoot(root);
        if (_roots[root].blockNumber != 0) revert RootAlreadyRecorded(root);
        _roots[root] = Root(msg.sender, uint64(block.number));
        emit RootRecorded(root, inbox, msg.sender, listDigest);
    }

    /**
     * @dev Allows or forbids `recorder` to record. Its earlier records stay.
     *
     * Only the owner may call it. Emits {RecorderSet}.
     */
    function setRecorder(address recorder, bool allowed) external onlyOwner {
        _setRecorder(recorder, allowed);
    }

    /**
     * @dev Returns the entry of `requestHash`; all zero if there is none. Anyone may call it.
     */
    function entryOf(bytes32 requestHash) external view returns (Entry memory) {
        return _entries[requestHash];
    }

    /**
     * @dev Returns who recorded `root` and in which block; all zero if no one has. Anyone may call it.
     */
    function rootOf(bytes32 root) external view returns (Root memory) {
        return _roots[root];
    }

    /**
     * @dev Returns whether `entry` is a leaf of the recorded `root`. Anyone may call it.
     */
    function isUnderRoot(NewEntry calldata entry, bytes32 root, bytes32[] calldata proof)
        external
        view
        returns (bool)
    {
        bytes32 leaf = keccak256(bytes.concat(keccak256(abi.encode(entry))));
        return _roots[root].blockNumber != 0 && MerkleProof.verifyCalldata(proof, root, leaf);
    }

    /**
     * @dev Returns whether `account` may record. Anyone may call it.
     */
    function isRecorder(address account) external view returns (bool) {
        return _isRecorder[account];
    }

    function _record(bytes32 requestHash, bytes32 contentDigest, address inbox) private {
        if (requestHash == 0 || contentDigest == 0 || inbox == address(0)) {
            revert IncompleteEntry(requestHash);
        }
        if (_entries[requestHash].blockNumber != 0) revert AlreadyRecorded(requestHash);
        _entries[requestHash] = Entry(contentDigest, inbox, msg.sender, uint64(block.number));
        emit Recorded(requestHash, inbox, msg.sender, contentDigest);
    }

    function _setRecorder(address recorder, bool allowed) private {
        _isRecorder[recorder] = allowed;
        emit RecorderSet(recorder, allowed);
    }
}
