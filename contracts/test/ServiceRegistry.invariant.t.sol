// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ServiceRegistry} from "../src/ServiceRegistry.sol";
import {Base} from "./Base.sol";

/// @dev Everything the owner may do, over so few inboxes that the same one comes twice.
contract ServiceRegistryHandler is Base {
    uint256 public constant INBOXES = 6;

    ServiceRegistry public immutable REGISTRY;

    // Each service as it should read. The service with id n is at index n - 1.
    ServiceRegistry.Service[] private _services;

    constructor() {
        REGISTRY = new ServiceRegistry(address(this));
    }

    function register(uint256 pick, bytes32 key) external {
        bool isNew = REGISTRY.idOfInbox(_inbox(pick)) == 0;
        try REGISTRY.register(_inbox(pick), _aFingerprint(key), "https://first.example") returns (
            uint256 id
        ) {
            vm.assertEq(isNew, true);
            _services.push(
                ServiceRegistry.Service(_inbox(pick), true, _aFingerprint(key), "https://first.example")
            );
            vm.assertEq(id, _services.length);
        } catch {
            vm.assertEq(isNew, false);
        }
    }

    function updateKey(uint256 pick, bytes32 key) external {
        if (_services.length == 0) return;
        uint256 id = _within(pick, 1, _services.length);
        REGISTRY.updateKey(id, _aFingerprint(key), "https://next.example");
        _services[id - 1].fingerprint = _aFingerprint(key);
        _services[id - 1].keyUri = "https://next.example";
    }

    function setActive(uint256 pick, bool active) external {
        if (_services.length == 0) return;
        uint256 id = _within(pick, 1, _services.length);
        REGISTRY.setActive(id, active);
        _services[id - 1].active = active;
    }

    function expected(uint256 id) external view returns (ServiceRegistry.Service memory) {
        return _services[id - 1];
    }

    function registered() external view returns (uint256) {
        return _services.length;
    }

    function inboxAt(uint256 index) external pure returns (address) {
        return _inbox(index);
    }

    function _inbox(uint256 pick) private pure returns (address) {
        return address(uint160(0x1B0C + pick % INBOXES));
    }
}

contract ServiceRegistryInvariantTest is Base {
    ServiceRegistryHandler private _handler;
    ServiceRegistry private _registry;

    function setUp() public {
        _handler = new ServiceRegistryHandler();
        _registry = _handler.REGISTRY();
    }

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(_handler);
    }

    function invariant_EveryServiceReadsAsItWasLastWritten() external view {
        vm.assertEq(_registry.count(), _handler.registered());
        for (uint256 id = 1; id <= _registry.count(); ++id) {
            vm.assertEq(abi.encode(_registry.serviceOf(id)), abi.encode(_handler.expected(id)));
        }
    }

    function invariant_IdsAndInboxesPairOffOneToOne() external view {
        for (uint256 id = 1; id <= _registry.count(); ++id) {
            vm.assertEq(_registry.idOfInbox(_registry.serviceOf(id).inbox), id);
        }
        uint256 taken = 0;
        for (uint256 i = 0; i < _handler.INBOXES(); ++i) {
            if (_registry.idOfInbox(_handler.inboxAt(i)) != 0) ++taken;
        }
        vm.assertEq(taken, _registry.count());
    }
}
