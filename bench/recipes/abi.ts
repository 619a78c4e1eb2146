// Human-readable interfaces, written from the protocols' public Solidity. One Interface per kind of contract. ethers is
// the only encoder of calls here.
import { Interface } from "ethers";

export const erc20 = new Interface([
  "function transfer(address to, uint256 amount)",
  "function transferFrom(address from, address to, uint256 amount)",
  "function approve(address spender, uint256 amount)",
  "function increaseAllowance(address spender, uint256 addedValue)",
  "function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)",
  "function delegate(address delegatee)",
]);
export const erc721 = new Interface([
  "function safeTransferFrom(address from, address to, uint256 tokenId)",
  "function transferFrom(address from, address to, uint256 tokenId)",
  "function setApprovalForAll(address operator, bool approved)",
  "function approve(address to, uint256 tokenId)",
]);
export const erc1155 = new Interface([
  "function safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes data)",
  "function setApprovalForAll(address operator, bool approved)",
]);
export const weth = new Interface(["function deposit() payable", "function withdraw(uint256 wad)"]);
export const permit2 = new Interface([
  "function approve(address token, address spender, uint160 amount, uint48 expiration)",
]);
export const v2 = new Interface([
  "function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)",
  "function swapExactETHForTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline) payable",
  "function swapExactTokensForETH(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)",
  "function swapTokensForExactTokens(uint256 amountOut, uint256 amountInMax, address[] path, address to, uint256 deadline)",
]);
export const v3 = new Interface([
  "function exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 deadline, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params) payable",
  "function exactInput((bytes path, address recipient, uint256 deadline, uint256 amountIn, uint256 amountOutMinimum) params) payable",
  "function exactOutputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 deadline, uint256 amountOut, uint256 amountInMaximum, uint160 sqrtPriceLimitX96) params) payable",
]);
export const router02 = new Interface([
  "function exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params) payable",
  "function exactInput((bytes path, address recipient, uint256 amountIn, uint256 amountOutMinimum) params) payable",
  "function multicall(uint256 deadline, bytes[] data) payable",
  "function unwrapWETH9(uint256 amountMinimum, address recipient) payable",
  "function sweepToken(address token, uint256 amountMinimum, address recipient) payable",
]);
export const universal = new Interface([
  "function execute(bytes commands, bytes[] inputs, uint256 deadline) payable",
]);
export const aave = new Interface([
  "function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)",
  "function withdraw(address asset, uint256 amount, address to)",
  "function borrow(address asset, uint256 amount, uint256 interestRateMode, uint16 referralCode, address onBehalfOf)",
  "function repay(address asset, uint256 amount, uint256 interestRateMode, address onBehalfOf)",
]);
export const comet = new Interface([
  "function supply(address asset, uint256 amount)",
  "function supplyTo(address dst, address asset, uint256 amount)",
  "function withdraw(address asset, uint256 amount)",
  "function withdrawTo(address to, address asset, uint256 amount)",
]);
export const cometRewards = new Interface([
  "function claim(address comet, address src, bool shouldAccrue)",
  "function claimTo(address comet, address src, address to, bool shouldAccrue)",
]);
export const cToken = new Interface([
  "function mint(uint256 mintAmount)",
  "function redeemUnderlying(uint256 redeemAmount)",
  "function borrow(uint256 borrowAmount)",
  "function repayBorrow(uint256 repayAmount)",
]);
export const cEther = new Interface(["function mint() payable"]);
export const lido = new Interface([
  "function submit(address referral) payable",
  "function requestWithdrawals(uint256[] amounts, address owner)",
]);
export const rocket = new Interface(["function deposit() payable", "function burn(uint256 amount)"]);
export const vault = new Interface([
  "function deposit(uint256 assets, address receiver)",
  "function withdraw(uint256 assets, address receiver, address owner)",
]);
export const spoke = new Interface([
  "function depositV3(address depositor, address recipient, address inputToken, address outputToken, uint256 inputAmount, uint256 outputAmount, uint256 destinationChainId, address exclusiveRelayer, uint32 quoteTimestamp, uint32 fillDeadline, uint32 exclusivityDeadline, bytes message) payable",
]);
export const oneinch = new Interface([
  "function swap(address executor, (address srcToken, address dstToken, address srcReceiver, address dstReceiver, uint256 amount, uint256 minReturnAmount, uint256 flags) desc, bytes data) payable",
]);
export const safe = new Interface([
  "function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures) payable",
  "function addOwnerWithThreshold(address owner, uint256 threshold)",
  "function swapOwner(address prevOwner, address oldOwner, address newOwner)",
  "function enableModule(address module)",
  "function setGuard(address guard)",
  "function setFallbackHandler(address handler)",
  "function changeMasterCopy(address masterCopy)",
  "function changeThreshold(uint256 threshold)",
]);
export const multisend = new Interface(["function multiSend(bytes transactions) payable"]);
export const multicall3 = new Interface([
  "function aggregate3Value((address target, bool allowFailure, uint256 value, bytes callData)[] calls) payable",
  "function aggregate3((address target, bool allowFailure, bytes callData)[] calls) payable",
]);
export const account = new Interface([
  "function execute(address dest, uint256 value, bytes func)",
  "function executeBatch(address[] dest, uint256[] value, bytes[] func)",
]);
export const modular = new Interface(["function execute(bytes32 mode, bytes executionCalldata) payable"]);
export const entrypoint = new Interface([
  "function handleOps((address sender, uint256 nonce, bytes initCode, bytes callData, bytes32 accountGasLimits, uint256 preVerificationGas, bytes32 gasFees, bytes paymasterAndData, bytes signature)[] ops, address beneficiary)",
]);
export const admin = new Interface([
  "function transferOwnership(address newOwner)",
  "function upgradeTo(address newImplementation)",
  "function grantRole(bytes32 role, address account)",
  "function setOwner(address owner)",
]);
export const seaport = new Interface([
  "function fulfillBasicOrder((address considerationToken, uint256 considerationIdentifier, uint256 considerationAmount, address offerer, address zone, address offerToken, uint256 offerIdentifier, uint256 offerAmount, uint8 basicOrderType, uint256 startTime, uint256 endTime, bytes32 zoneHash, uint256 salt, bytes32 offererConduitKey, bytes32 fulfillerConduitKey, uint256 totalOriginalAdditionalRecipients, (uint256 amount, address recipient)[] additionalRecipients, bytes signature) parameters) payable",
]);
