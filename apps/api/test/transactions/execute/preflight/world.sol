// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.0;

// Minimal contracts for what can change between a verdict and its execution. Their code is set directly, without
// deployment, so nothing here has a constructor.

contract Token {
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    address public collector;
    uint256 public feePercent;

    function give(address to, uint256 value) external {
        balanceOf[to] += value;
    }

    function takeFee(address to, uint256 percent) external {
        (collector, feePercent) = (to, percent);
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transfer(address to, uint256 value) external virtual returns (bool) {
        require(balanceOf[msg.sender] >= value, "too little");
        uint256 fee = value * feePercent / 100;
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value - fee;
        emit Transfer(msg.sender, to, value - fee);
        if (fee > 0) {
            balanceOf[collector] += fee;
            emit Transfer(msg.sender, collector, fee);
        }
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        require(allowance[from][msg.sender] >= value && balanceOf[from] >= value, "too little");
        allowance[from][msg.sender] -= value;
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
        return true;
    }
}

// The same effects with other code.
contract OtherToken is Token {
    function version() external pure returns (uint256) {
        return 2;
    }
}

// Logs the whole amount and, once told to, moves less of it: no event shows the difference.
contract QuietToken is Token {
    uint256 private keptPercent;

    function keep(uint256 percent) external {
        keptPercent = percent;
    }

    function transfer(address to, uint256 value) external override returns (bool) {
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value - value * keptPercent / 100;
        emit Transfer(msg.sender, to, value);
        return true;
    }
}

contract Proxy {
    // A slot that does not collide with the implementation's.
    struct Slot {
        address implementation;
    }

    function slot() private pure returns (Slot storage found) {
        assembly {
            found.slot := 0x70726f7879
        }
    }

    function upgrade(address to) external {
        slot().implementation = to;
    }

    fallback() external payable {
        address to = slot().implementation;
        assembly {
            calldatacopy(0, 0, calldatasize())
            let done := delegatecall(gas(), to, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch done
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }
}

// Sells a token for the native token.
contract Pool {
    Token public token;
    uint256 public perWei;

    function open(Token what, uint256 price) external {
        (token, perWei) = (what, price);
    }

    function buy() external payable {
        token.transfer(msg.sender, msg.value * perWei);
    }
}

// Forwards the native token.
contract Payer {
    function pay(address payable to) external payable {
        (bool done,) = to.call{value: msg.value}("");
        require(done, "not taken");
    }
}

// Gives the caller its balance, or only tries to.
contract Giver {
    uint256 private amount;

    function offer(uint256 much) external {
        amount = much;
    }

    fallback() external payable {
        (bool done,) = msg.sender.call{value: amount}("");
        done;
    }
}

// Emits the configured event for any caller.
contract Speaker {
    bytes32[] private topics;
    bytes private data;

    function learn(bytes32[] calldata newTopics, bytes calldata newData) external {
        (topics, data) = (newTopics, newData);
    }

    fallback() external payable {
        bytes memory said = data;
        bytes32[] memory names = topics;
        bytes32[4] memory t;
        for (uint256 i = 0; i < names.length; i++) t[i] = names[i];
        assembly {
            let start := add(said, 32)
            let size := mload(said)
            switch mload(names)
            case 0 { log0(start, size) }
            case 1 { log1(start, size, mload(t)) }
            case 2 { log2(start, size, mload(t), mload(add(t, 32))) }
            case 3 { log3(start, size, mload(t), mload(add(t, 32)), mload(add(t, 64))) }
            default { log4(start, size, mload(t), mload(add(t, 32)), mload(add(t, 64)), mload(add(t, 96))) }
        }
    }
}

// Emits endless events.
contract Chatter {
    fallback() external payable {
        for (uint256 i = 0; i < 1100; i++) {
            assembly {
                log0(0, 0)
            }
        }
    }
}

// Pays a reward if it believes that it is simulated, and otherwise takes all that it is allowed to take.
contract Pretender {
    Token private token;
    address private thief;
    uint256 private sign;
    uint256 private low;
    uint256 private high;

    function pretend(Token what, address to, uint256 by) external {
        (token, thief, sign) = (what, to, by);
    }

    // Takes only if the gas left is between these.
    function lurk(uint256 from, uint256 to) external {
        (low, high) = (from, to);
    }

    function claim() external {
        if (isWatched()) token.transfer(msg.sender, 1);
        else token.transferFrom(msg.sender, thief, token.allowance(msg.sender, address(this)));
    }

    function isWatched() private view returns (bool) {
        if (sign == 0) return block.basefee == 0;
        if (sign == 1) return tx.gasprice == 0;
        if (sign == 2) return block.coinbase == address(0);
        if (sign == 3) return block.prevrandao == 0;
        if (sign == 4) return gasleft() > 10_000_000;
        if (sign == 5) return gasleft() > 300_000;
        if (sign == 6) return block.basefee == 0 && gasleft() > 10_000_000;
        return gasleft() < low || gasleft() > high;
    }
}
