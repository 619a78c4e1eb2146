// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";

/**
 * @dev Ownership that moves in two steps and cannot be given up. The owner is the only one who can take a stolen key
 * out of use, so a contract without one would obey the thief for ever.
 */
abstract contract Owned is Ownable2Step {
    error OwnershipCannotBeRenounced();

    constructor(address initialOwner) Ownable(initialOwner) {}

    /**
     * @dev Refused to everyone, the owner included. No event follows.
     */
    function renounceOwnership() public pure override {
        revert OwnershipCannotBeRenounced();
    }
}
