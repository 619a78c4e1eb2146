// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/**
 * @dev What these tests use of forge's cheatcodes. The forge-std on npm is too old to compile here, and forge itself
 * answers all of these, assertions included.
 */
interface Vm {
    function assertEq(address left, address right) external pure;
    function assertEq(bool left, bool right) external pure;
    function assertEq(bytes calldata left, bytes calldata right) external pure;
    function assertEq(bytes32 left, bytes32 right) external pure;
    function assertEq(uint256 left, uint256 right) external pure;
    function assume(bool condition) external pure;
    function expectEmit() external;
    function expectEmit(address emitter) external;
    function expectRevert(bytes calldata revertData) external;
    function prank(address sender) external;
    function roll(uint256 blockNumber) external;
    function warp(uint256 timestamp) external;
}

abstract contract Base {
    Vm internal constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

    address internal constant OWNER = address(0xA11CE);

    /// @dev A fingerprint of either length that OpenPGP knows.
    function _aFingerprint(bytes32 seed) internal pure returns (bytes memory) {
        return uint256(seed) % 2 == 0 ? abi.encodePacked(bytes20(seed)) : abi.encodePacked(seed);
    }

    function _within(uint256 value, uint256 min, uint256 max) internal pure returns (uint256) {
        return min + value % (max - min + 1);
    }
}
