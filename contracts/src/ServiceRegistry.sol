// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Fingerprint} from "./Fingerprint.sol";
import {Owned} from "./Owned.sol";

/**
 * @dev The verification services that the operator vouches for: where each takes requests, and which OpenPGP key to
 * seal them with. A service is never deleted and its inbox never changes, so an id found in an old request keeps its
 * meaning.
 */
contract ServiceRegistry is Owned {
    struct Service {
        address inbox;
        bool active;
        bytes fingerprint;
        string keyUri;
    }

    uint256 private constant MAX_KEY_URI_LENGTH = 512;

    // The service with id n is at index n - 1.
    Service[] private _services;
    mapping(address inbox => uint256 id) private _idOfInbox;

    event Registered(uint256 indexed id, address indexed inbox, bytes fingerprint, string keyUri);
    event KeyUpdated(uint256 indexed id, bytes fingerprint, string keyUri);
    event ActiveSet(uint256 indexed id, bool active);

    error UnknownService(uint256 id);
    error ZeroInbox();
    error InboxTaken(address inbox, uint256 id);
    error InvalidKeyUriLength(uint256 length);

    constructor(address initialOwner) Owned(initialOwner) {}

    /**
     * @dev Registers a service, active from the start, and returns its id: the first is 1. `inbox` is the service's
     * Ethereum address and belongs to no other service; `keyUri` is where its public key is found.
     *
     * Only the owner may call it. Emits {Registered}.
     */
    function register(address inbox, bytes calldata fingerprint, string calldata keyUri)
        external
        onlyOwner
        returns (uint256 id)
    {
        if (inbox == address(0)) revert ZeroInbox();
        if (_idOfInbox[inbox] != 0) revert InboxTaken(inbox, _idOfInbox[inbox]);
        _checkKey(fingerprint, keyUri);

        _services.push(Service({inbox: inbox, active: true, fingerprint: fingerprint, keyUri: keyUri}));
        id = _services.length;
        _idOfInbox[inbox] = id;
        emit Registered(id, inbox, fingerprint, keyUri);
    }

    /**
     * @dev Replaces the key of service `id`.
     *
     * Only the owner may call it. Emits {KeyUpdated}.
     */
    function updateKey(uint256 id, bytes calldata fingerprint, string calldata keyUri) external onlyOwner {
        Service storage service = _service(id);
        _checkKey(fingerprint, keyUri);

        service.fingerprint = fingerprint;
        service.keyUri = keyUri;
        emit KeyUpdated(id, fingerprint, keyUri);
    }

    /**
     * @dev Says whether service `id` takes requests. The contract refuses nothing to an inactive one; senders do.
     *
     * Only the owner may call it. Emits {ActiveSet}.
     */
    function setActive(uint256 id, bool active) external onlyOwner {
        _service(id).active = active;
        emit ActiveSet(id, active);
    }

    /**
     * @dev Returns service `id`; reverts if there is none. Anyone may call it.
     */
    function serviceOf(uint256 id) external view returns (Service memory) {
        return _service(id);
    }

    /**
     * @dev Returns the id of the service with this inbox; 0 if there is none. Anyone may call it.
     */
    function idOfInbox(address inbox) external view returns (uint256) {
        return _idOfInbox[inbox];
    }

    /**
     * @dev Returns how many services were ever registered, which is also the highest id. Anyone may call it.
     */
    function count() external view returns (uint256) {
        return _services.length;
    }

    function _service(uint256 id) private view returns (Service storage) {
        if (id == 0 || id > _services.length) revert UnknownService(id);
        return _services[id - 1];
    }

    function _checkKey(bytes calldata fingerprint, string calldata keyUri) private pure {
        Fingerprint.check(fingerprint);
        uint256 length = bytes(keyUri).length;
        if (length == 0 || length > MAX_KEY_URI_LENGTH) revert InvalidKeyUriLength(length);
    }
}
