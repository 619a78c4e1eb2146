// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

// A token that takes EIP-2612 and EIP-3009 signatures and permits of DAI's form.
contract SigningToken {
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
    event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);
    event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce);

    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    mapping(address => uint256) public nonces;
    mapping(address => mapping(bytes32 => bool)) public authorizationState;

    function mint(address to, uint256 value) external {
        balanceOf[to] += value;
    }

    function approve(address spender, uint256 value) external {
        allow(msg.sender, spender, value);
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        allowance[from][msg.sender] -= value;
        move(from, to, value);
        return true;
    }

    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        external
    {
        require(block.timestamp <= deadline, "expired");
        bytes32 kind = keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
        check(owner, keccak256(abi.encode(kind, owner, spender, value, nonces[owner]++, deadline)), v, r, s);
        allow(owner, spender, value);
    }

    function permit(
        address holder,
        address spender,
        uint256 nonce,
        uint256 expiry,
        bool allowed,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        require(expiry == 0 || block.timestamp <= expiry, "expired");
        require(nonce == nonces[holder]++, "nonce");
        bytes32 kind = keccak256("Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)");
        check(holder, keccak256(abi.encode(kind, holder, spender, nonce, expiry, allowed)), v, r, s);
        allow(holder, spender, allowed ? type(uint256).max : 0);
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
        require(block.timestamp > validAfter && block.timestamp < validBefore, "time");
        bytes32 kind = keccak256(
            "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
        );
        check(from, keccak256(abi.encode(kind, from, to, value, validAfter, validBefore, nonce)), v, r, s);
        close(from, nonce);
        emit AuthorizationUsed(from, nonce);
        move(from, to, value);
    }

    function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s) external {
        bytes32 kind = keccak256("CancelAuthorization(address authorizer,bytes32 nonce)");
        check(authorizer, keccak256(abi.encode(kind, authorizer, nonce)), v, r, s);
        close(authorizer, nonce);
        emit AuthorizationCanceled(authorizer, nonce);
    }

    function close(address authorizer, bytes32 nonce) private {
        require(!authorizationState[authorizer][nonce], "used");
        authorizationState[authorizer][nonce] = true;
    }

    function allow(address owner, address spender, uint256 value) private {
        allowance[owner][spender] = value;
        emit Approval(owner, spender, value);
    }

    function move(address from, address to, uint256 value) private {
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }

    function check(address signer, bytes32 hash, uint8 v, bytes32 r, bytes32 s) private view {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("Signing"),
                keccak256("1"),
                block.chainid,
                address(this)
            )
        );
        address found = ecrecover(keccak256(abi.encodePacked(hex"1901", domain, hash)), v, r, s);
        require(found != address(0) && found == signer, "signature");
    }
}

// Emits whatever it is told to.
contract Mimic {
    function emitEvent(bytes32 a, bytes32 b, bytes32 c, bytes calldata data) external {
        bytes memory copy = data;
        assembly {
            log3(add(copy, 32), mload(copy), a, b, c)
        }
    }
}

// The code of an account that makes several calls at once, for its owner only.
contract BatchAccount {
    struct Call {
        address to;
        uint256 value;
        bytes data;
    }

    function executeBatch(Call[] calldata calls) external {
        require(msg.sender == address(this), "owner");
        for (uint256 i = 0; i < calls.length; i++) {
            (bool done,) = calls[i].to.call{value: calls[i].value}(calls[i].data);
            require(done, "call");
        }
    }
}
