// SPDX-License-Identifier: Apache-2.0
// Small stand-ins with the same interfaces as the real contracts. They exist to
// move balances the way the real ones do, so that a label can be executed.
pragma solidity 0.8.37;

interface IToken {
  function transfer(address to, uint256 amount) external returns (bool);
  function transferFrom(address from, address to, uint256 amount) external returns (bool);
  function deposit() external payable;
  function withdraw(uint256 amount) external;
}

/// ERC-20 with WETH's two functions. Storage: 0 balances, 1 allowances.
contract Token {
  mapping(address => uint256) public balanceOf;
  mapping(address => mapping(address => uint256)) public allowance;

  function transfer(address to, uint256 amount) external returns (bool) {
    balanceOf[msg.sender] -= amount;
    balanceOf[to] += amount;
    return true;
  }

  function transferFrom(address from, address to, uint256 amount) external returns (bool) {
    uint256 allowed = allowance[from][msg.sender];
    if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - amount;
    balanceOf[from] -= amount;
    balanceOf[to] += amount;
    return true;
  }

  function approve(address spender, uint256 amount) external returns (bool) {
    allowance[msg.sender][spender] = amount;
    return true;
  }

  function increaseAllowance(address spender, uint256 amount) external returns (bool) {
    uint256 old = allowance[msg.sender][spender];
    unchecked {
      uint256 sum = old + amount;
      allowance[msg.sender][spender] = sum < old ? type(uint256).max : sum;
    }
    return true;
  }

  function deposit() external payable {
    balanceOf[msg.sender] += msg.value;
  }

  function withdraw(uint256 amount) external {
    balanceOf[msg.sender] -= amount;
    (bool ok, ) = msg.sender.call{value: amount}("");
    require(ok);
  }
}

/// Pays exactly the promised minimum: the worst honest outcome of a swap.
contract Router {
  address constant NATIVE = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;

  struct V3Single {
    address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 deadline;
    uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96;
  }
  struct V3Path { bytes path; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; }
  struct Single02 {
    address tokenIn; address tokenOut; uint24 fee; address recipient;
    uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96;
  }
  struct Desc {
    address srcToken; address dstToken; address srcReceiver; address dstReceiver;
    uint256 amount; uint256 minReturnAmount; uint256 flags;
  }

  receive() external payable {}

  function take(address token, uint256 amount) internal {
    if (msg.value > 0) require(msg.value == amount);
    else IToken(token).transferFrom(msg.sender, address(this), amount);
  }

  function pay(address token, address to, uint256 amount) internal {
    if (to == address(2)) return;
    if (token == NATIVE) {
      (bool ok, ) = to.call{value: amount}("");
      require(ok);
    } else IToken(token).transfer(to, amount);
  }

  function swapExactTokensForTokens(uint256 a, uint256 m, address[] calldata p, address to, uint256 d) external {
    require(d >= block.timestamp);
    take(p[0], a);
    pay(p[p.length - 1], to, m);
  }

  function swapExactETHForTokens(uint256 m, address[] calldata p, address to, uint256 d) external payable {
    require(d >= block.timestamp);
    pay(p[p.length - 1], to, m);
  }

  function swapExactTokensForETH(uint256 a, uint256 m, address[] calldata p, address to, uint256 d) external {
    require(d >= block.timestamp);
    take(p[0], a);
    pay(NATIVE, to, m);
  }

  function swapTokensForExactTokens(uint256 o, uint256 m, address[] calldata p, address to, uint256 d) external {
    require(d >= block.timestamp);
    take(p[0], m);
    pay(p[p.length - 1], to, o);
  }

  function exactInputSingle(V3Single calldata s) external payable {
    require(s.deadline >= block.timestamp);
    take(s.tokenIn, s.amountIn);
    pay(s.tokenOut, s.recipient, s.amountOutMinimum);
  }

  function exactInput(V3Path calldata s) external payable {
    require(s.deadline >= block.timestamp);
    take(address(bytes20(s.path[:20])), s.amountIn);
    pay(address(bytes20(s.path[s.path.length - 20:])), s.recipient, s.amountOutMinimum);
  }

  function exactInputSingle(Single02 calldata s) external payable {
    take(s.tokenIn, s.amountIn);
    pay(s.tokenOut, s.recipient, s.amountOutMinimum);
  }

  function multicall(uint256 d, bytes[] calldata calls) external payable {
    require(d >= block.timestamp);
    for (uint256 i; i < calls.length; i++) {
      (bool ok, ) = address(this).delegatecall(calls[i]);
      require(ok);
    }
  }

  function unwrapWETH9(uint256 m, address to) external payable {
    pay(NATIVE, to, m);
  }

  function sweepToken(address token, uint256 m, address to) external payable {
    pay(token, to, m);
  }

  function swap(address, Desc calldata s, bytes calldata) external payable {
    take(s.srcToken, s.amount);
    pay(s.dstToken, s.dstReceiver, s.minReturnAmount);
  }
}

/// Storage, keyed by (owner, asset): 0 supplied, 1 owed.
contract Pool {
  mapping(address => mapping(address => int256)) public position;
  mapping(address => mapping(address => int256)) public debt;

  function supply(address asset, uint256 amount, address owner, uint16) external {
    IToken(asset).transferFrom(msg.sender, address(this), amount);
    position[owner][asset] += int256(amount);
  }

  function withdraw(address asset, uint256 amount, address to) external {
    position[msg.sender][asset] -= int256(amount);
    IToken(asset).transfer(to, amount);
  }

  function borrow(address asset, uint256 amount, uint256, uint16, address owner) external {
    debt[owner][asset] += int256(amount);
    IToken(asset).transfer(msg.sender, amount);
  }

  function repay(address asset, uint256 amount, uint256, address owner) external {
    IToken(asset).transferFrom(msg.sender, address(this), amount);
    debt[owner][asset] -= int256(amount);
  }
}

/// Any account that carries calls: Safe, ERC-4337, ERC-7579 and ERC-7821 in one.
contract Account {
  struct Call { address to; uint256 value; bytes data; }

  receive() external payable {}

  function run(address to, uint256 value, bytes memory data) internal {
    (bool ok, ) = to.call{value: value}(data);
    require(ok);
  }

  function execTransaction(
    address to, uint256 value, bytes calldata data, uint8 operation, uint256, uint256 baseGas, uint256 gasPrice,
    address, address payable refundReceiver, bytes calldata
  ) external payable {
    bool ok;
    if (operation == 1) (ok, ) = to.delegatecall(data);
    else (ok, ) = to.call{value: value}(data);
    require(ok);
    if (gasPrice > 0) run(refundReceiver, baseGas * gasPrice, "");
  }

  function execute(address to, uint256 value, bytes calldata data) external {
    run(to, value, data);
  }

  function executeBatch(address[] calldata to, uint256[] calldata value, bytes[] calldata data) external {
    for (uint256 i; i < to.length; i++) run(to[i], value[i], data[i]);
  }

  function execute(bytes32 mode, bytes calldata data) external payable {
    if (mode[0] == 0x01) {
      Call[] memory calls = abi.decode(data, (Call[]));
      for (uint256 i; i < calls.length; i++) run(calls[i].to, calls[i].value, calls[i].data);
    } else if (mode[0] == 0xff) {
      (bool ok, ) = address(bytes20(data[:20])).delegatecall(data[20:]);
      require(ok);
    } else run(address(bytes20(data[:20])), uint256(bytes32(data[20:52])), data[52:]);
  }
}

contract EntryPoint {
  struct Op {
    address sender; uint256 nonce; bytes initCode; bytes callData; bytes32 accountGasLimits;
    uint256 preVerificationGas; bytes32 gasFees; bytes paymasterAndData; bytes signature;
  }

  function handleOps(Op[] calldata ops, address payable) external {
    for (uint256 i; i < ops.length; i++) {
      (bool ok, ) = ops[i].sender.call(ops[i].callData);
      require(ok);
    }
  }
}

contract MultiSend {
  function multiSend(bytes memory batch) external payable {
    assembly {
      let end := add(add(batch, 0x20), mload(batch))
      for { let i := add(batch, 0x20) } lt(i, end) {} {
        let op := shr(248, mload(i))
        let to := shr(96, mload(add(i, 1)))
        let value := mload(add(i, 0x15))
        let size := mload(add(i, 0x35))
        if op { revert(0, 0) }
        if iszero(call(gas(), to, value, add(i, 0x55), size, 0, 0)) { revert(0, 0) }
        i := add(i, add(0x55, size))
      }
    }
  }
}

contract Multicall3 {
  struct Leg { address target; bool allowFailure; uint256 value; bytes callData; }

  function aggregate3Value(Leg[] calldata legs) external payable {
    uint256 sum;
    for (uint256 i; i < legs.length; i++) {
      sum += legs[i].value;
      (bool ok, ) = legs[i].target.call{value: legs[i].value}(legs[i].callData);
      require(ok || legs[i].allowFailure);
    }
    require(msg.value == sum);
  }
}
