// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {AccountRegistry} from "../src/AccountRegistry.sol";
import {Inbox} from "../src/Inbox.sol";
import {ServiceRegistry} from "../src/ServiceRegistry.sol";
import {Base} from "./Base.sol";

/// @dev What each write costs, with fixed inputs, for the gas snapshot. The test's own few calls are in the figure.
contract GasTest is Base {
    string private constant KEY_URI = "https://service.example/key.asc";
    bytes private constant V4 = hex"0123456789abcdef0123456789abcdef01234567";
    bytes private constant V6 = hex"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

    AccountRegistry private _accounts;
    ServiceRegistry private _services;
    Inbox private _inbox;

    function setUp() public {
        address[] memory recorders = new address[](1);
        recorders[0] = address(this);
        _accounts = new AccountRegistry(address(this), address(this));
        _services = new ServiceRegistry(address(this));
        _inbox = new Inbox(address(this), recorders);

        _services.register(address(1), V4, KEY_URI);
        _accounts.recordOwn(V4);
    }

    function test_CostOfDeployingTheAccountRegistry() public {
        new AccountRegistry(OWNER, OWNER);
    }

    function test_CostOfDeployingTheServiceRegistry() public {
        new ServiceRegistry(OWNER);
    }

    function test_CostOfDeployingTheInbox() public {
        new Inbox(OWNER, new address[](0));
    }

    function test_CostOfRecordingAnAccountWithAV4Key() public {
        _accounts.record(address(2), V4, "signature");
    }

    function test_CostOfRecordingAnAccountWithAV6Key() public {
        _accounts.record(address(2), V6, "signature");
    }

    function test_CostOfReplacingOnesOwnRecord() public {
        _accounts.recordOwn(V6);
    }

    function test_CostOfRemovingOnesOwnRecord() public {
        _accounts.removeOwn();
    }

    function test_CostOfRegisteringAService() public {
        _services.register(address(2), V4, KEY_URI);
    }

    function test_CostOfUpdatingAServicesKey() public {
        _services.updateKey(1, V6, KEY_URI);
    }

    function test_CostOfSwitchingAServiceOff() public {
        _services.setActive(1, false);
    }

    function test_CostOfRecordingARequest() public {
        _inbox.record("request", "digest", address(1));
    }

    function test_CostOfRecordingABatchOfTen() public {
        _inbox.recordBatch(_aBatch(10));
    }

    function test_CostOfRecordingABatchOfAHundred() public {
        _inbox.recordBatch(_aBatch(100));
    }

    /// @dev The cost does not depend on the number of leaves.
    function test_CostOfRecordingARoot() public {
        _inbox.recordRoot("root", "list", address(1));
    }

    function _aBatch(uint256 size) private pure returns (Inbox.NewEntry[] memory entries) {
        entries = new Inbox.NewEntry[](size);
        for (uint256 i = 0; i < size; ++i) {
            entries[i] = Inbox.NewEntry(bytes32(i + 1), "digest", address(1));
        }
    }
}
