// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

/// A token with transfers, EIP-3009 payments and EIP-2612 permits, with the domain of USDC. Placed at the address of the real one.
contract Token {
    event Transfer(address indexed from, address indexed to, uint256 value);

    string public constant name = "USDC";
    string public constant version = "2";
    uint8 public constant decimals = 6;
    bytes32 private constant AUTHORIZATION = keccak256(
        "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    bytes32 private constant PERMIT =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    mapping(address => uint256) public nonces;
    mapping(address => mapping(bytes32 => bool)) public authorizationState;

    function mint(address to, uint256 value) external {
        balanceOf[to] += value;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        emit Transfer(msg.sender, to, value);
        return true;
    }

    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        require(block.timestamp > validAfter && block.timestamp < validBefore, "not valid now");
        require(!authorizationState[from][nonce], "used before");
        bytes32 hash = keccak256(abi.encode(AUTHORIZATION, from, to, value, validAfter, validBefore, nonce));
        require(ecrecover(digest(hash), v, r, s) == from, "wrong signature");
        authorizationState[from][nonce] = true;
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }

    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        external
    {
        require(block.timestamp <= deadline, "expired");
        bytes32 hash = keccak256(abi.encode(PERMIT, owner, spender, value, nonces[owner]++, deadline));
        require(ecrecover(digest(hash), v, r, s) == owner, "wrong signature");
        allowance[owner][spender] = value;
    }

    function digest(bytes32 hash) private view returns (bytes32) {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256(bytes(name)),
                keccak256(bytes(version)),
                block.chainid,
                address(this)
            )
        );
        return keccak256(abi.encodePacked(hex"1901", domain, hash));
    }
}
