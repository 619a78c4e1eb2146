// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";

/**
 * @dev The least that is a contract wallet: what its owner signs, it has signed. For the tests of
 * apps/api/src/adapters/wallets only; it does not bind the signature to itself, as a real one must.
 */
contract OwnerWallet is IERC1271 {
    address private immutable _OWNER;

    constructor(address owner) {
        _OWNER = owner;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        (address signer, ECDSA.RecoverError problem,) = ECDSA.tryRecoverCalldata(hash, signature);
        bool isOwners = problem == ECDSA.RecoverError.NoError && signer == _OWNER;
        return isOwners ? IERC1271.isValidSignature.selector : bytes4(0xffffffff);
    }
}

/// @dev Gives a wallet an address before it is there, which is what ERC-6492 is for.
contract OwnerWalletFactory {
    function deploy(address owner, bytes32 salt) external returns (address) {
        return address(new OwnerWallet{salt: salt}(owner));
    }
}
