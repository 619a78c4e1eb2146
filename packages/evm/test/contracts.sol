// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.0;

// Minimal contracts for tests. Their code and storage are set directly, so nothing here has a constructor.

contract Token {
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    mapping(address => uint256) public balanceOf; // slot 0
    mapping(address => mapping(address => uint256)) public allowance; // slot 1

    function move(address from, address to, uint256 value) internal virtual {
        require(balanceOf[from] >= value, "too little");
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        move(msg.sender, to, value);
        return true;
    }

    function approve(address spender, uint256 value) external virtual returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        require(allowance[from][msg.sender] >= value, "not allowed");
        allowance[from][msg.sender] -= value;
        move(from, to, value);
        return true;
    }

    function approveAndSpend(address spender, uint256 value) external {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        allowance[msg.sender][spender] = 0;
        move(msg.sender, spender, value);
    }
}

// Keeps a tenth of each transfer and logs the whole.
contract FeeToken is Token {
    function move(address from, address to, uint256 value) internal override {
        balanceOf[from] -= value;
        balanceOf[to] += value - value / 10;
        emit Transfer(from, to, value);
    }
}

// Moves without a log.
contract SilentToken is Token {
    function move(address from, address to, uint256 value) internal override {
        balanceOf[from] -= value;
        balanceOf[to] += value;
    }
}

// Logs a transfer that does not happen.
contract LyingToken is Token {
    function move(address from, address to, uint256 value) internal override {
        emit Transfer(from, to, value);
    }
}

// Does not answer about balances.
contract MuteToken {
    event Transfer(address indexed from, address indexed to, uint256 value);

    function transfer(address to, uint256 value) external {
        emit Transfer(msg.sender, to, value);
    }
}

contract Wrapped {
    event Deposit(address indexed to, uint256 value);

    mapping(address => uint256) public balanceOf; // slot 0

    receive() external payable {
        balanceOf[msg.sender] += msg.value;
        emit Deposit(msg.sender, msg.value);
    }
}

contract Items {
    event Transfer(address indexed from, address indexed to, uint256 indexed id);
    event Approval(address indexed owner, address indexed spender, uint256 indexed id);
    event ApprovalForAll(address indexed owner, address indexed spender, bool isApproved);

    mapping(uint256 => address) public ownerOf; // slot 0
    mapping(uint256 => address) public getApproved; // slot 1
    mapping(address => mapping(address => bool)) public isApprovedForAll; // slot 2

    function mint(uint256 id) external {
        ownerOf[id] = msg.sender;
        emit Transfer(address(0), msg.sender, id);
    }

    function send(address to, uint256 id) external {
        require(ownerOf[id] == msg.sender, "not yours");
        ownerOf[id] = to;
        emit Transfer(msg.sender, to, id);
    }

    function approve(address to, uint256 id) external {
        getApproved[id] = to;
        emit Approval(msg.sender, to, id);
    }

    function setApprovalForAll(address to, bool isApproved) external {
        isApprovedForAll[msg.sender][to] = isApproved;
        emit ApprovalForAll(msg.sender, to, isApproved);
    }
}

contract Many {
    event TransferSingle(address indexed by, address indexed from, address indexed to, uint256 id, uint256 value);
    event TransferBatch(address indexed by, address indexed from, address indexed to, uint256[] ids, uint256[] values);

    mapping(address => mapping(uint256 => uint256)) public balanceOf; // slot 0

    function mint(uint256 id, uint256 value) external {
        balanceOf[msg.sender][id] += value;
        emit TransferSingle(msg.sender, address(0), msg.sender, id, value);
    }

    function mintTwo(uint256 value) external {
        uint256[] memory ids = new uint256[](2);
        uint256[] memory values = new uint256[](2);
        (ids[0], ids[1], values[0], values[1]) = (1, 2, value, value * 2);
        balanceOf[msg.sender][1] += value;
        balanceOf[msg.sender][2] += value * 2;
        emit TransferBatch(msg.sender, address(0), msg.sender, ids, values);
    }
}

contract Permit2 {
    event Approval(address indexed owner, address indexed token, address indexed spender, uint160 amount, uint48 until);

    struct Allowed {
        uint160 amount;
        uint48 until;
        uint48 nonce;
    }

    mapping(address => mapping(address => mapping(address => Allowed))) public allowance; // slot 0

    function approve(address token, address spender, uint160 amount, uint48 until) external {
        allowance[msg.sender][token][spender] = Allowed(amount, until, 0);
        emit Approval(msg.sender, token, spender, amount, until);
    }
}

contract Owned {
    event OwnershipTransferred(address indexed from, address indexed to);
    event Upgraded(address indexed to);

    address public owner; // slot 0

    function give(address to) external {
        emit OwnershipTransferred(owner, to);
        owner = to;
    }

    // With or without the event.
    function upgrade(address to, bool isLogged) external {
        assembly {
            sstore(0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc, to)
        }
        if (isLogged) emit Upgraded(to);
    }
}

// Pays a reward if it believes that it is simulated, and otherwise takes all that it may.
contract Pretender {
    Token private token; // slot 0
    uint256 private sign; // slot 1
    uint256 private limit; // slot 2

    function claim() external {
        if (isWatched()) token.transfer(msg.sender, 1);
        else token.transferFrom(msg.sender, address(0xdead), token.allowance(msg.sender, address(this)));
    }

    function isWatched() private view returns (bool) {
        if (sign == 0) return block.basefee == 0;
        if (sign == 1) return tx.gasprice == 0;
        if (sign == 2) return block.coinbase == address(0);
        if (sign == 3) return block.prevrandao == 0;
        if (sign == 4) return gasleft() > 10_000_000;
        if (sign == 5) return blockhash(block.number - 1) == 0;
        if (sign == 6) return block.number == limit;
        if (sign == 7) return block.timestamp < limit;
        if (sign == 8) return block.gaslimit > 100_000_000;
        if (sign == 9) return block.coinbase.balance == 0;
        if (sign == 10) return uint256(keccak256(abi.encode(block.prevrandao, block.coinbase))) % 4 != 0;
        return limit != 0;
    }
}

// Balances are shares of a pool that grows by one share in a hundred for each second, as those of rebasing tokens do.
contract RebasingToken {
    event Transfer(address indexed from, address indexed to, uint256 value);

    mapping(address => uint256) private shares; // slot 0

    function unit() private view returns (uint256) {
        return 100 + (block.timestamp - 1_790_000_000);
    }

    function balanceOf(address holder) external view returns (uint256) {
        return (shares[holder] * unit()) / 100;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        uint256 moved = (value * 100) / unit();
        shares[msg.sender] -= moved;
        shares[to] += moved;
        emit Transfer(msg.sender, to, value);
        return true;
    }
}

// Answers about balances until the first transfer.
contract FallingSilentToken {
    event Transfer(address indexed from, address indexed to, uint256 value);

    mapping(address => uint256) private held; // slot 0
    bool private isSilent; // slot 1

    function balanceOf(address holder) external view returns (uint256) {
        require(!isSilent, "silent");
        return held[holder];
    }

    function transfer(address to, uint256 value) external returns (bool) {
        held[msg.sender] -= value;
        held[to] += value;
        isSilent = true;
        emit Transfer(msg.sender, to, value);
        return true;
    }
}

// A collection that counts, and that reverts for items that do not exist.
contract CountedItems {
    event Transfer(address indexed from, address indexed to, uint256 indexed id);

    mapping(address => uint256) public balanceOf; // slot 0
    mapping(uint256 => address) private owners; // slot 1

    function ownerOf(uint256 id) external view returns (address) {
        require(owners[id] != address(0), "no such item");
        return owners[id];
    }

    function mint(uint256 id) external {
        owners[id] = msg.sender;
        balanceOf[msg.sender] += 1;
        emit Transfer(address(0), msg.sender, id);
    }

    function transferFrom(address from, address to, uint256 id) external {
        require(owners[id] == from && from == msg.sender, "not yours");
        owners[id] = to;
        balanceOf[from] -= 1;
        balanceOf[to] += 1;
        emit Transfer(from, to, id);
    }
}

// Grows with time, as interest does.
contract Growing is Token {
    function claim(uint256 perSecond) external {
        uint256 value = 1e18 + (block.timestamp - 1_790_000_000) * perSecond;
        balanceOf[msg.sender] += value;
        emit Transfer(address(0), msg.sender, value);
    }
}

// Refuses to be late, as routers do.
contract Dated is Token {
    function transferBefore(uint256 deadline, address to, uint256 value) external {
        require(block.timestamp <= deadline, "too late");
        move(msg.sender, to, value);
    }
}

// Takes double, except where there is no base fee, as in a simulation with defaults.
contract WatchedToken is Token {
    function move(address from, address to, uint256 value) internal override {
        super.move(from, to, value);
        if (block.basefee != 0) super.move(from, address(0xdead), value);
    }
}

// Lets a third party take everything after a transfer.
contract GrantingToken is Token {
    function move(address from, address to, uint256 value) internal override {
        super.move(from, to, value);
        allowance[from][address(0xdeadbeef00000000000000000000)] = type(uint256).max;
        emit Approval(from, address(0xdeadbeef00000000000000000000), type(uint256).max);
    }
}

// Lets a third party take as much as the one that is approved.
contract PermittingToken is Token {
    function approve(address spender, uint256 value) external override returns (bool) {
        allowance[msg.sender][spender] = value;
        allowance[msg.sender][address(0xdeadbeef00000000000000000000)] = value;
        emit Approval(msg.sender, spender, value);
        emit Approval(msg.sender, address(0xdeadbeef00000000000000000000), value);
        return true;
    }
}

// Takes double unless it believes that it is watched. The sign that it looks for is stored.
contract PillToken is Token {
    uint256 private sign; // slot 2
    uint256 private limit; // slot 3

    function move(address from, address to, uint256 value) internal override {
        super.move(from, to, value);
        if (!isWatched()) super.move(from, address(0xdead), value);
    }

    function isWatched() private view returns (bool) {
        if (sign == 0) return block.basefee == 0;
        if (sign == 1) return tx.gasprice == 0;
        if (sign == 2) return block.coinbase == address(0);
        if (sign == 3) return block.prevrandao == 0;
        if (sign == 4) return gasleft() > 10_000_000;
        if (sign == 5) return blockhash(block.number - 1) == 0;
        if (sign == 6) return block.number == limit;
        if (sign == 7) return block.timestamp < limit;
        if (sign == 8) return block.gaslimit > 100_000_000;
        return block.coinbase.balance == 0;
    }
}

// Takes double if the transaction is not the holder's own, as when a wallet or a relayer sends it.
contract WalletPill is Token {
    function move(address from, address to, uint256 value) internal override {
        super.move(from, to, value);
        if (tx.origin != from) super.move(from, address(0xdead), value);
    }
}

// Names its owners, as a Safe does.
contract OwnedAccount {
    mapping(address => bool) public isOwner; // slot 0
}

// Takes another token of the sender, who once gave it an allowance, when it is transferred or receives a payment.
contract Robber is Token {
    Token private other; // slot 2
    uint256 private amount; // slot 3

    function move(address from, address to, uint256 value) internal override {
        super.move(from, to, value);
        other.transferFrom(from, address(0xdead), amount);
    }

    receive() external payable {
        other.transferFrom(tx.origin, address(0xdead), amount);
    }
}

// Every contract of the name service in one: what it answers is in the slots of its mappings.
contract NameService {
    mapping(bytes32 => address) public resolver;
    mapping(bytes32 => address) public owner;
    mapping(uint256 => uint256) public nameExpires;
    mapping(bytes32 => address) public addr;
    mapping(uint256 => address) public ownerOf;
}

// Sends its callers to a server, as EIP-3668 describes.
contract OffchainResolver {
    error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callback, bytes extra);

    fallback() external {
        revert OffchainLookup(address(this), new string[](0), msg.data, 0x00000000, "");
    }
}

// Names the account that asks, unless a block is being built.
contract WatchedResolver {
    function addr(bytes32) external view returns (address) {
        return block.coinbase == address(0) || tx.gasprice == 0 ? msg.sender : address(0xdead);
    }
}

// A token that claims the symbol of another.
contract FakeUsdc is Token {
    string public constant symbol = "USDC";
    uint8 public constant decimals = 6;
}

interface Wrapper {
    function deposit() external payable;
}

// Takes deposits for another chain, as a spoke pool of Across does. Relayers pay there.
contract SpokePool {
    event Deposited(address indexed from, address to, address input, uint256 amount, uint256 chain);

    // The arguments of depositV3 up to its message. A function with all of them does not fit on the compiler's stack.
    struct Deposit {
        address depositor;
        address recipient;
        address input;
        address output;
        uint256 amount;
        uint256 least;
        uint256 chain;
    }

    fallback() external payable {
        require(msg.sig == 0x7b939232, "no deposit");
        Deposit memory given = abi.decode(msg.data[4:], (Deposit));
        if (msg.value > 0) {
            require(msg.value == given.amount, "another value");
            Wrapper(given.input).deposit{value: msg.value}();
        } else {
            take(given.input, given.depositor, given.amount);
        }
        emit Deposited(given.depositor, given.recipient, given.input, given.amount, given.chain);
    }

    function take(address token, address from, uint256 amount) internal virtual {
        Token(token).transferFrom(from, address(this), amount);
    }
}

// Takes twice the deposit, as far as the allowance goes.
contract GreedySpokePool is SpokePool {
    function take(address token, address from, uint256 amount) internal override {
        Token(token).transferFrom(from, address(this), 2 * amount);
    }
}

// Takes no deposits any more.
contract PausedSpokePool is SpokePool {
    function take(address, address, uint256) internal pure override {
        revert("paused");
    }
}

// Pays out shares, as Merkl does, without looking at the proofs.
contract Distributor {
    mapping(address => mapping(address => uint256)) public claimed; // slot 0

    function claim(
        address[] calldata users,
        address[] calldata tokens,
        uint256[] calldata amounts,
        bytes32[][] calldata
    ) external {
        for (uint256 i = 0; i < users.length; i++) {
            uint256 due = amounts[i] - claimed[users[i]][tokens[i]];
            claimed[users[i]][tokens[i]] = amounts[i];
            pay(tokens[i], users[i], due);
        }
    }

    function pay(address token, address to, uint256 amount) internal virtual {
        Token(token).transfer(to, amount);
    }
}

// Takes what it should pay.
contract GreedyDistributor is Distributor {
    function pay(address token, address to, uint256 amount) internal override {
        Token(token).transferFrom(to, address(this), amount);
    }
}

// Has nothing left to pay.
contract EmptyDistributor is Distributor {
    function pay(address, address, uint256) internal pure override {
        revert("nothing left");
    }
}
