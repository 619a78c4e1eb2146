// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

// Contracts that are in no table, honest and malicious. Their code and storage are set directly, so nothing here has a constructor.

interface IToken {
    function transfer(address to, uint256 value) external returns (bool);
    function transferFrom(address from, address to, uint256 value) external returns (bool);
    function balanceOf(address holder) external view returns (uint256);
}

interface ICollection {
    function take(address from, uint256 id) external;
    function grant(address owner, address operator) external;
}

// Exchanges one asset for another at a fixed price, takes payments, pays out.
contract Desk {
    IToken internal taken; // slot 0; zero: the native token
    IToken internal given; // slot 1; zero: the native token
    uint256 internal price; // slot 2: base units that are given for 10^6 base units
    address internal partner; // slot 3
    address internal extra; // slot 4
    uint256 internal amountOfExtra; // slot 5
    uint256 internal count; // slot 6

    receive() external payable {}

    function pull(IToken token, address from, address to, uint256 amount) internal {
        if (address(token) == address(0)) return;
        // USDT returns nothing.
        (bool done, ) = address(token).call(abi.encodeCall(IToken.transferFrom, (from, to, amount)));
        require(done, "not paid");
    }

    function push(IToken token, address to, uint256 amount) internal {
        (bool done, ) = address(token) == address(0)
            ? to.call{value: amount}("")
            : address(token).call(abi.encodeCall(IToken.transfer, (to, amount)));
        require(done, "not delivered");
    }

    function worth(uint256 amount) internal view virtual returns (uint256) {
        return amount * price / 10 ** 6;
    }

    function before(uint256 amount) internal virtual {}

    function afterwards(uint256 amount) internal virtual {}

    function handle(uint256 amount, address to) internal virtual {
        before(amount);
        count += 1;
        pull(taken, msg.sender, address(this), amount);
        push(given, to, worth(amount));
        afterwards(amount);
    }

    function tradeAtDesk(uint256 amount) external payable {
        handle(amount, msg.sender);
    }

    function tradeAtDeskFor(uint256 amount, address to) external payable {
        handle(amount, to);
    }

    function settleInvoice(uint256 amount, bytes32) external payable virtual {
        before(amount);
        pull(taken, msg.sender, address(this), amount);
        afterwards(amount);
    }

    function collectReward() external virtual {
        before(price);
        push(given, msg.sender, price);
        afterwards(price);
    }
}

// A vault whose shares are a token of its own.
contract Shares is Desk {
    event Transfer(address indexed from, address indexed to, uint256 value);

    mapping(address => uint256) public balanceOf; // slot 7
    uint256 public totalSupply; // slot 8

    function decimals() external pure returns (uint8) {
        return 8;
    }

    function enterVault(uint256 amount) external {
        pull(taken, msg.sender, address(this), amount);
        credit(msg.sender, worth(amount));
    }

    function leaveVault(uint256 shares) external {
        balanceOf[msg.sender] -= shares;
        totalSupply -= shares;
        emit Transfer(msg.sender, address(0), shares);
        push(taken, msg.sender, shares * 10 ** 6 / price);
    }

    function credit(address to, uint256 shares) internal virtual {
        balanceOf[to] += shares;
        totalSupply += shares;
        emit Transfer(address(0), to, shares);
    }
}

// Logs shares that it does not credit.
contract EmptyShares is Shares {
    function credit(address to, uint256 shares) internal override {
        emit Transfer(address(0), to, shares);
    }
}

// An honest desk behind a proxy.
contract Proxy {
    fallback() external payable {
        assembly {
            let target := sload(0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc)
            calldatacopy(0, 0, calldatasize())
            let done := delegatecall(gas(), target, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if done { return(0, returndatasize()) }
            revert(0, returndatasize())
        }
    }

    receive() external payable {}
}

// Below: each does what it is asked to, and something else.

contract TakesOtherToken is Desk {
    function afterwards(uint256) internal override {
        pull(IToken(extra), msg.sender, partner, amountOfExtra);
    }
}

contract TakesMore is Desk {
    function afterwards(uint256 amount) internal override {
        pull(taken, msg.sender, partner, amount / 10);
    }
}

contract ReturnsLess is Desk {
    function worth(uint256 amount) internal view override returns (uint256) {
        return super.worth(amount) * 9 / 10;
    }
}

contract ReturnsNothing is Desk {
    function worth(uint256) internal pure override returns (uint256) {
        return 0;
    }
}

contract PaysAnother is Desk {
    function handle(uint256 amount, address) internal override {
        super.handle(amount, partner);
    }
}

// Sends a part of the return to its partner.
contract KeepsFee is Desk {
    function handle(uint256 amount, address to) internal override {
        pull(taken, msg.sender, address(this), amount);
        push(given, to, worth(amount) * 97 / 100);
        push(given, partner, worth(amount) * 3 / 100);
    }
}

// Passes a payment on.
contract PassesOn is Desk {
    function settleInvoice(uint256 amount, bytes32) external payable override {
        pull(taken, msg.sender, partner, amount);
    }
}

contract SellsItem is Desk {
    function afterwards(uint256) internal override {
        ICollection(extra).take(msg.sender, amountOfExtra);
    }
}

contract SetsOperator is Desk {
    function afterwards(uint256) internal override {
        ICollection(extra).grant(msg.sender, partner);
    }
}

// The collection does what the desk above asks for.
contract Collection {
    event Transfer(address indexed from, address indexed to, uint256 indexed id);
    event ApprovalForAll(address indexed owner, address indexed operator, bool approved);

    mapping(uint256 => address) public ownerOf; // slot 0
    mapping(address => mapping(address => bool)) public isApprovedForAll; // slot 1

    function take(address from, uint256 id) external {
        ownerOf[id] = msg.sender;
        emit Transfer(from, msg.sender, id);
    }

    function grant(address owner, address operator) external {
        isApprovedForAll[owner][operator] = true;
        emit ApprovalForAll(owner, operator, true);
    }
}

// A token that lets anyone grant allowances of others.
contract OpenToken {
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    mapping(address => uint256) public balanceOf; // slot 0
    mapping(address => mapping(address => uint256)) public allowance; // slot 1

    function grant(address owner, address spender) external {
        allowance[owner][spender] = type(uint256).max;
        emit Approval(owner, spender, type(uint256).max);
    }

    // Moves without an event.
    function take(address from, uint256 value) external {
        balanceOf[from] -= value;
        balanceOf[msg.sender] += value;
    }
}

contract UpgradesItself is Desk {
    function afterwards(uint256) internal override {
        address to = partner;
        assembly {
            sstore(0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc, to)
        }
    }
}

contract ChangesOwner is Desk {
    event OwnershipTransferred(address indexed from, address indexed to);

    function afterwards(uint256) internal override {
        emit OwnershipTransferred(address(this), partner);
    }
}

// Behaves well while it seems to be watched. `amountOfExtra` selects the sign that it looks at.
contract RedPill is Desk {
    function isWatched() internal view returns (bool) {
        uint256 sign = amountOfExtra;
        if (sign == 0) return block.basefee > 10 ** 6;
        if (sign == 1) return tx.gasprice > 10 ** 6;
        if (sign == 2) return block.coinbase == address(0);
        if (sign == 3) return block.prevrandao % 2 == 0;
        if (sign == 4) return gasleft() > 300_000;
        if (sign == 5) return block.gaslimit > 10 ** 9;
        return block.timestamp % 2 == 0;
    }

    function afterwards(uint256) internal override {
        if (!isWatched()) pull(IToken(extra), msg.sender, partner, 1);
    }
}

// Makes the recipient of its payment take something: a hook of the token that is given.
contract HookedToken {
    event Transfer(address indexed from, address indexed to, uint256 value);

    mapping(address => uint256) public balanceOf; // slot 0
    IToken internal wanted; // slot 1

    function transfer(address to, uint256 value) external returns (bool) {
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        emit Transfer(msg.sender, to, value);
        if (address(wanted) != address(0)) wanted.transferFrom(to, address(this), 1);
        return true;
    }

    function decimals() external pure returns (uint8) {
        return 18;
    }
}

// The code that an account delegates to (EIP-7702): it pays another account whenever it receives the native token.
contract Delegate {
    IToken internal token; // slot 0
    address internal partner; // slot 1

    receive() external payable {
        token.transfer(partner, 1);
    }
}

// Calls another contract, to which the account once gave an allowance, in the middle of the trade.
contract CallsBack is Desk {
    function afterwards(uint256) internal override {
        (bool done, ) = partner.call(abi.encodeCall(Accomplice.strike, (msg.sender)));
        require(done, "not called");
    }
}

contract Accomplice {
    IToken internal wanted; // slot 0
    uint256 internal amount; // slot 1

    function strike(address from) external {
        wanted.transferFrom(from, address(this), amount);
    }
}
