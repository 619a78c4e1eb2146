// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Owned} from "../src/Owned.sol";
import {Base} from "./Base.sol";
import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";

/// @dev What holds for the owner of each contract. A contract's own tests inherit it and say which one is meant.
abstract contract OwnedTest is Base {
    function _owned() internal view virtual returns (Owned);

    function test_StartsWithTheOwnerItIsGiven(address reader) public {
        vm.prank(reader);
        vm.assertEq(_owned().owner(), OWNER);
    }

    function test_OwnershipMovesOnceTheNewOwnerAccepts(address next) public {
        vm.expectEmit(address(_owned()));
        emit Ownable2Step.OwnershipTransferStarted(OWNER, next);
        vm.prank(OWNER);
        _owned().transferOwnership(next);
        vm.assertEq(_owned().owner(), OWNER);
        vm.assertEq(_owned().pendingOwner(), next);

        vm.expectEmit(address(_owned()));
        emit Ownable.OwnershipTransferred(OWNER, next);
        vm.prank(next);
        _owned().acceptOwnership();
        vm.assertEq(_owned().owner(), next);
        vm.assertEq(_owned().pendingOwner(), address(0));
    }

    function test_RefusesAnOfferOfOwnershipFromAnyoneButTheOwner(address caller, address next) public {
        vm.assume(caller != OWNER);
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, caller));
        vm.prank(caller);
        _owned().transferOwnership(next);
    }

    function test_RefusesOwnershipToAnyoneButTheOneItWasOfferedTo(address caller, address next) public {
        vm.assume(caller != next);
        vm.prank(OWNER);
        _owned().transferOwnership(next);
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, caller));
        vm.prank(caller);
        _owned().acceptOwnership();
    }

    function test_RefusesToBeLeftWithoutAnOwner(address stranger, bool byOwner) public {
        vm.expectRevert(abi.encodeWithSelector(Owned.OwnershipCannotBeRenounced.selector));
        vm.prank(byOwner ? OWNER : stranger);
        _owned().renounceOwnership();
        vm.assertEq(_owned().owner(), OWNER);
    }
}
