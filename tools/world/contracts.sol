// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

// Test doubles of contracts that no package publishes, and tokens with odd behaviour. Anyone may mint.

contract Token {
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    string public name;
    string public symbol;
    uint8 public immutable decimals;
    uint256 public totalSupply;
    mapping(address => uint256) internal held;
    mapping(address => mapping(address => uint256)) public allowance;

    constructor(string memory name_, string memory symbol_, uint8 decimals_) {
        (name, symbol, decimals) = (name_, symbol_, decimals_);
    }

    function balanceOf(address holder) public view virtual returns (uint256) {
        return held[holder];
    }

    function mint(address to, uint256 value) external {
        totalSupply += value;
        held[to] += value;
        emit Transfer(address(0), to, value);
    }

    function move(address from, address to, uint256 value) internal virtual {
        held[from] -= value;
        held[to] += value;
        emit Transfer(from, to, value);
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        if (allowance[from][msg.sender] != type(uint256).max) allowance[from][msg.sender] -= value;
        move(from, to, value);
        return true;
    }
}

// Burns a hundredth of each transfer.
contract FeeToken is Token("Fee on transfer", "FEE", 18) {
    function move(address from, address to, uint256 value) internal override {
        uint256 fee = value / 100;
        held[from] -= value;
        held[to] += value - fee;
        totalSupply -= fee;
        emit Transfer(from, to, value - fee);
        emit Transfer(from, address(0), fee);
    }
}

// Refuses listed accounts.
contract BlockingToken is Token("Blocking", "BLOCK", 18) {
    mapping(address => bool) public isBlocked;

    function setBlocked(address who, bool blocked) external {
        isBlocked[who] = blocked;
    }

    function move(address from, address to, uint256 value) internal override {
        require(!isBlocked[from] && !isBlocked[to], "blocked");
        super.move(from, to, value);
    }
}

// All balances change at once.
contract RebasingToken is Token("Rebasing", "REBASE", 18) {
    uint256 public percent = 100;

    function rebase(uint256 newPercent) external {
        percent = newPercent;
    }

    function balanceOf(address holder) public view override returns (uint256) {
        return held[holder] * percent / 100;
    }

    function move(address from, address to, uint256 value) internal override {
        uint256 shares = value * 100 / percent;
        held[from] -= shares;
        held[to] += shares;
        emit Transfer(from, to, value);
    }
}

// Returns nothing from its functions, and changes an allowance only from or to 0, as USDT does.
contract SilentReturnToken {
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    string public name = "Tether USD";
    string public symbol = "USDT";
    uint8 public decimals = 6;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    function mint(address to, uint256 value) external {
        totalSupply += value;
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function approve(address spender, uint256 value) external {
        require(value == 0 || allowance[msg.sender][spender] == 0, "reset it first");
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
    }

    function transfer(address to, uint256 value) external {
        move(msg.sender, to, value);
    }

    function transferFrom(address from, address to, uint256 value) external {
        allowance[from][msg.sender] -= value;
        move(from, to, value);
    }

    function move(address from, address to, uint256 value) private {
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }
}

// A proxy with the slot that USDC uses, which is older than EIP-1967.
contract OldProxy {
    constructor(address implementation) {
        assembly {
            sstore(0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3, implementation)
        }
    }

    fallback() external payable {
        assembly {
            calldatacopy(0, 0, calldatasize())
            let to := sload(0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3)
            let done := delegatecall(gas(), to, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch done
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }
}

// Behind a proxy a constructor's texts are not stored, so these are constants.
contract UsdCoin is Token("", "", 6) {
    function describe() external {
        (name, symbol) = ("USD Coin", "USDC");
    }
}

// A price with 8 decimals.
contract Feed {
    uint8 public constant decimals = 8;
    int256 public latestAnswer;
    string public description;
    uint256 private updatedAt;

    constructor(int256 answer, string memory text) {
        (latestAnswer, description, updatedAt) = (answer, text, block.timestamp);
    }

    function set(int256 answer) external {
        (latestAnswer, updatedAt) = (answer, block.timestamp);
    }

    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        return (1, latestAnswer, updatedAt, updatedAt, 1);
    }
}
