// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Fingerprint} from "../src/Fingerprint.sol";
import {Owned} from "../src/Owned.sol";
import {ServiceRegistry} from "../src/ServiceRegistry.sol";
import {OwnedTest} from "./OwnedTest.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

contract ServiceRegistryTest is OwnedTest {
    string private constant KEY_URI = "https://service.example/key.asc";

    ServiceRegistry private _registry;

    function setUp() public {
        _registry = new ServiceRegistry(OWNER);
    }

    function test_StartsEmpty(address reader, address inbox) public {
        vm.prank(reader);
        vm.assertEq(_registry.count(), 0);
        vm.prank(reader);
        vm.assertEq(_registry.idOfInbox(inbox), 0);
    }

    function test_RefusesToStartWithoutAnOwner() public {
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableInvalidOwner.selector, address(0)));
        new ServiceRegistry(address(0));
    }

    function test_RegistersAServiceUnderTheFirstId(
        address reader,
        address inbox,
        bytes32 key,
        string calldata uri
    ) public {
        vm.assume(inbox != address(0) && bytes(uri).length > 0 && bytes(uri).length <= 512);

        vm.expectEmit(address(_registry));
        emit ServiceRegistry.Registered(1, inbox, _aFingerprint(key), uri);
        vm.prank(OWNER);
        vm.assertEq(_registry.register(inbox, _aFingerprint(key), uri), 1);

        vm.prank(reader);
        _assertService(1, ServiceRegistry.Service(inbox, true, _aFingerprint(key), uri));
        vm.assertEq(_registry.idOfInbox(inbox), 1);
        vm.assertEq(_registry.count(), 1);
    }

    function test_NumbersServicesInTheOrderOfTheirRegistration(bytes32 seed, uint8 size) public {
        uint256 services = size % 10;
        for (uint256 i = 0; i < services; ++i) {
            bytes32 key = keccak256(abi.encode(seed, i));
            vm.assertEq(_register(address(bytes20(key)), key), i + 1);
        }
        vm.assertEq(_registry.count(), services);
    }

    function test_RefusesARegistrationFromAnyoneButTheOwner(address caller, address inbox, bytes32 key)
        public
    {
        _expectOnlyOwner(caller);
        _registry.register(inbox, _aFingerprint(key), KEY_URI);
    }

    function test_RefusesAServiceWithoutAnInbox(bytes32 key) public {
        vm.expectRevert(abi.encodeWithSelector(ServiceRegistry.ZeroInbox.selector));
        _register(address(0), key);
    }

    function test_RefusesAnInboxThatIsTaken(address inbox, bytes32 key, bytes32 otherKey) public {
        vm.assume(inbox != address(0));
        uint256 id = _register(inbox, key);
        vm.expectRevert(abi.encodeWithSelector(ServiceRegistry.InboxTaken.selector, inbox, id));
        _register(inbox, otherKey);
    }

    function test_RefusesAFingerprintOfAnyOtherLength(bytes calldata fingerprint) public {
        vm.assume(fingerprint.length != 20 && fingerprint.length != 32);
        uint256 id = _register(address(1), "key");
        bytes memory refusal =
            abi.encodeWithSelector(Fingerprint.InvalidFingerprintLength.selector, fingerprint.length);

        vm.expectRevert(refusal);
        vm.prank(OWNER);
        _registry.register(address(2), fingerprint, KEY_URI);

        vm.expectRevert(refusal);
        vm.prank(OWNER);
        _registry.updateKey(id, fingerprint, KEY_URI);
    }

    function test_RefusesAKeyUriThatIsEmptyOrLongerThan512Bytes(uint256 length, bool empty) public {
        uint256 id = _register(address(1), "key");
        string memory uri = new string(empty ? 0 : _within(length, 513, 2000));
        bytes memory refusal =
            abi.encodeWithSelector(ServiceRegistry.InvalidKeyUriLength.selector, bytes(uri).length);

        vm.expectRevert(refusal);
        vm.prank(OWNER);
        _registry.register(address(2), _aFingerprint("key"), uri);

        vm.expectRevert(refusal);
        vm.prank(OWNER);
        _registry.updateKey(id, _aFingerprint("key"), uri);
    }

    function test_TakesAKeyUriOf512Bytes(bytes32 key) public {
        vm.prank(OWNER);
        _registry.register(address(1), _aFingerprint(key), new string(512));
        vm.assertEq(bytes(_registry.serviceOf(1).keyUri).length, 512);
    }

    function test_ReplacesTheKeyAndNothingElse(address inbox, bytes32 oldKey, bytes32 newKey, bool active)
        public
    {
        vm.assume(inbox != address(0));
        uint256 id = _register(inbox, oldKey);
        vm.prank(OWNER);
        _registry.setActive(id, active);

        vm.expectEmit(address(_registry));
        emit ServiceRegistry.KeyUpdated(id, _aFingerprint(newKey), "ipfs://key");
        vm.prank(OWNER);
        _registry.updateKey(id, _aFingerprint(newKey), "ipfs://key");

        _assertService(id, ServiceRegistry.Service(inbox, active, _aFingerprint(newKey), "ipfs://key"));
        vm.assertEq(_registry.idOfInbox(inbox), id);
    }

    function test_RefusesAKeyFromAnyoneButTheOwner(address caller, bytes32 key) public {
        uint256 id = _register(address(1), "key");
        _expectOnlyOwner(caller);
        _registry.updateKey(id, _aFingerprint(key), KEY_URI);
    }

    function test_SwitchesAServiceOffAndOn(address inbox, bytes32 key, bool active) public {
        vm.assume(inbox != address(0));
        uint256 id = _register(inbox, key);

        vm.expectEmit(address(_registry));
        emit ServiceRegistry.ActiveSet(id, active);
        vm.prank(OWNER);
        _registry.setActive(id, active);
        _assertService(id, ServiceRegistry.Service(inbox, active, _aFingerprint(key), KEY_URI));

        vm.prank(OWNER);
        _registry.setActive(id, !active);
        _assertService(id, ServiceRegistry.Service(inbox, !active, _aFingerprint(key), KEY_URI));
    }

    function test_RefusesASwitchFromAnyoneButTheOwner(address caller, bool active) public {
        uint256 id = _register(address(1), "key");
        _expectOnlyOwner(caller);
        _registry.setActive(id, active);
    }

    function test_RefusesAnIdItNeverGave(uint256 id, bytes32 key, bool active) public {
        vm.assume(id != 1);
        _register(address(1), "key");
        bytes memory refusal = abi.encodeWithSelector(ServiceRegistry.UnknownService.selector, id);

        vm.expectRevert(refusal);
        _registry.serviceOf(id);

        vm.expectRevert(refusal);
        vm.prank(OWNER);
        _registry.updateKey(id, _aFingerprint(key), KEY_URI);

        vm.expectRevert(refusal);
        vm.prank(OWNER);
        _registry.setActive(id, active);
    }

    // The neighbours of the only id: what an off-by-one would let through.
    function test_RefusesTheIdsBesideTheOnlyOne() public {
        test_RefusesAnIdItNeverGave(0, "key", true);
        setUp();
        test_RefusesAnIdItNeverGave(2, "key", true);
    }

    function _owned() internal view override returns (Owned) {
        return _registry;
    }

    function _register(address inbox, bytes32 key) private returns (uint256) {
        vm.prank(OWNER);
        return _registry.register(inbox, _aFingerprint(key), KEY_URI);
    }

    function _expectOnlyOwner(address caller) private {
        vm.assume(caller != OWNER);
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, caller));
        vm.prank(caller);
    }

    function _assertService(uint256 id, ServiceRegistry.Service memory expected) private view {
        vm.assertEq(abi.encode(_registry.serviceOf(id)), abi.encode(expected));
    }
}
