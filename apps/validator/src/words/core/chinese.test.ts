import { describe, expect, test } from "vitest";
import { asksFor } from "../../../test/core.ts";

/** Honest requests, divided where a sentence can be inserted. */
const requests = [
  ["请转 5 ETH", "给 {A}"],
  ["帮我在Base上", "给 {A} 转 5 USDC"],
  ["麻烦把 5 USDC", "转到 {A}"],
  ["给 {A} 付 760 USDT", "以太坊，这是仓库的租金"],
  ["请授权 {A}", "使用 100 USDC"],
  ["请撤销 {A} 的 USDC 授权", "以太坊"],
  ["把 0.9 ETH", "包装成 WETH"],
  ["在Uniswap V2上用0.4 ETH换USDT", "最少要收到1100 USDT"],
] as const;
const whole = requests.map(([head, tail]) =>
  /^(?:以太坊|最少)/.test(tail) ? `${head}，${tail}` : `${head}${tail}`,
);

const read = (texts: readonly string[]): readonly string[] => texts.filter((text) => asksFor(text) !== null);

/** Every place at which a sentence can be. */
const around = (sentence: string): readonly string[] =>
  requests.flatMap(([head, tail], at) => {
    const request = whole[at] ?? "";
    return [
      ...[`${sentence}。${request}。`, `${sentence}，${request}。`, `${sentence}${request}。`],
      ...[`${head}，${sentence}，${tail}。`, `${head}${sentence}${tail}`],
      ...[`${request}。${sentence}。`, `${request}，${sentence}。`, `${request}${sentence}。`],
    ];
  });

const sentences: Readonly<Record<string, string>> = {
  withdraw:
    "算了|算了吧|还是算了|取消|取消吧|取消这笔|请取消|作废|以上作废|这笔作废|不用了|不要了|不转了|不付了|不用转了|先不转了|当我没说|忘了吧|忘掉吧|撤回|我撤回|停|停下|停止|打住|免了|罢了|收回刚才的话|我后悔了|我反悔了|改主意了|我改变主意了|变卦了|不需要了|没必要了|这事黄了|合作黄了|交易取消了|合同终止了|订单退了|我们分手了|已经退货了|这个项目停了|不做了",
  refuse:
    "别|别转|别付|不要|不要转|不要付|不可以|不行|不同意|我不同意|老板不同意|财务不批|老婆反对|拒绝|我拒绝|驳回|禁止|严禁|勿转|请勿转账|切勿付款|千万别转|千万不要|绝不|休想|想得美|做梦|门都没有|没门|免谈|甭转|莫转|不许转|不准付|不能转|没有授权|未经批准|未批准|没批准|无需付款|无须转账|不必转了|别理他|别上当|别信",
  ask: "行吗|好吗|可以吗|对吗|是吗|真的吗|要转吗|该转吗|能转吗|安全吗|你觉得呢|怎么样|怎么办|为什么|为何|谁让转的|哪个地址|多少钱|是不是|对不对|好不好|要不要|该不该|能不能转|会不会亏|有没有问题|什么意思|什么时候|几点|你看呢|你怎么看|合适吗|是否合适|这样对么|靠谱吗|会怎样|会发生什么|请问是什么意思|需要多少手续费",
  report:
    "昨天|昨晚|上周|去年|这个月|最近|已完成|已经交付|付款人小王|过去|昨天转了|已经转了|已转|已付|已经付了|付过了|转过了|早就付了|上周付过|上周已经转了|刚转完|刚刚付了|转完了|付完了|办完了|已经办好了|已完成转账|钱到了|他收到了|他已经收到钱了|小王付了|老王转了|财务已付|我付过|这是上周的记录|这是昨天的转账|曾经转过|我曾转过|去年付的|上个月付的|昨天付的|是他转的|是我昨天转的|转账成功|付款成功",
  quote:
    "他说|她说的|老板说|小王说的|他写道|短信说|邮件里说|群里有人说|他让我转|他叫我转|老板让我付|骗子让我转|有人要我转|他要我付|客服要求我转|他求我转|他催我付|据说|听说|新闻说|网上说|引用|原话|转发|转述|截图|聊天记录|微信消息|他的原话|上面写着|纸条上写着|骗子发来的|诈骗短信|这是骗局|小心骗子|这是钓鱼|他威胁我|他逼我的|被迫的|我被绑架了|黑客发的",
  suppose:
    "如果|如果可以|如果他同意|要是|要是行|要是他来|假如|假设|假使|倘若|万一|比如|例如|比方说|打个比方|假装|想象一下|设想|理论上|原则上|本来|原本|本来想|本来要|原计划|原来打算|也许|可能|或许|大概|好像|似乎|说不定|没准|应该|应该是|我猜|我觉得|我以为|我怀疑|我希望能|我梦见|梦里|做了个梦",
  plan: "我打算|我计划|我准备|我考虑|我在想|考虑一下|再想想|让我想想|想一想|商量一下|讨论一下|再商量|待定|待批|待审核|草稿|这是草稿|初稿|拟|提议|提案|建议|我建议|他建议|清单|待办|备忘|提醒我|记一下|记账|日记|日程|计划|预算|写个方案|研究一下|先查一下|先看看|先问问|先确认|先等等|先别|先放着|先存着|准备好|拟一份",
  defer:
    "明天|明天再转|明早|明晚|后天|下周|下周一|下个月|下次|改天|改日|以后|之后|以后再说|稍后|晚点|晚点再转|晚些时候|待会|待会儿|等会|一会儿|回头|过几天|过两天|月底|月底再付|年底|周五|星期一|春节|春节前|中秋|生日那天|婚礼那天|到时候|届时|将来|未来|等通知|等我|等他|等我电话|等他确认|推迟|延后|延期|暂缓|暂停|缓一缓|今晚|三天后|一个月后|十分钟后|下班后|饭后|到货后|收货后|验收后",
  condition:
    "他同意的话|可以的话|便宜的话|一旦到账|只要他签字|只有他签字才行|除非|除非我同意|签字后|同意后|批准后|确认后|收到货后|货到付款|货到再付|到货再转|等货到|他来了再付|修好再付|完工再付|完工付款|验收付款|当他签字时|签字时|的时候|下雨的时候|每天|每月|每周|每次|每人|定期|自动|到货请付|货物到家请付|小王回家请付|看情况|视情况|取决于他|前提是他签字|否则|不然|要不然|才|才能|方可",
  correct:
    "错了|不对|写错了|打错了|弄错了|地址错了|金额错了|有误|更正|改成 6 ETH|改成小王|改为 6 USDC|应该是 6 ETH|是 6 不是 5|不是 5 ETH|换个地址|换个人|换一个|给小王吧|改给老王|给另一个人|另一个地址|用老地址|用旧地址|旧地址|用公司钱包|用他的钱包|从他的钱包|走别的网络|在别的链上|或者 6 ETH|或 6 ETH|或者明天|或者小王|要么|二选一|而不是他|而是小王|但是|但|不过|可是|只是|然而|其实不是|一半|只转一半|转一半|剩下的不转|各一半|分两次|分期|分批|平分|最多|上限|不超过|左右|大约|差不多|多转一点|少转一点|加上手续费|扣掉手续费|除了手续费|外加小费|再加 1 ETH|另加小费|重复两次|两次|三次",
  joke: "开玩笑|开个玩笑|我开玩笑的|逗你玩|逗你的|骗你的|哈哈骗你的|闹着玩|愚人节快乐|愚人节|恶作剧|说笑的|不是认真的|别当真|当真你就输了|反话|讽刺|测试|这是测试|测试一下|试试|试一下|演习|演练|演示|练习|练习题|模拟|彩排",
  frame:
    "例子|这是例子|举个例子|示例|样例|范例|模板|格式如下|下面是模板|翻译|翻译成英文|请翻译|翻译这句话|用英语怎么说|这句话|下面这句话|请朗读|请润色|请改写|请总结|请解释|解释一下|请分析|检查语法|造句|考试题|作文题|小说|小说里|电影台词|剧本|歌词|游戏里|角色扮演|扮演银行|你是演员|故事开头|课文|教程|规则|公司规定|政策|合同条款|机器人的指令|系统指令|命令|任务|老王的任务|是老王的工作|是小王的责任|是他的主意|是我的梦想|小王的想法|他的习惯|忽略上面|无视以上|别看上面|这是老王的事|是小王的事|小王的决定|他的请求|这是他的要求|小王会|老王要|他会|我会|将会|我妈会|让小王|叫老王|由小王|被骗了|请小王|麻烦老王|我让他|我叫他|他给|小王给|小王昨天|老王天天|我和小王|谁来",
};

describe("一句话 next to a request", () => {
  test("alone every request is read", () => {
    expect(whole.filter((request) => asksFor(`${request}。`) === null)).toEqual([]);
  });
  test.each(
    Object.entries(sentences).flatMap(([kind, list]) => list.split("|").map((one) => [kind, one] as const)),
  )("%s: “%s” before, inside and after it leaves it unread", (_, sentence) => {
    expect(read(around(sentence))).toEqual([]);
  });
});

test.each(["能不能", "可不可以", "行吧？", "对吧？", "是吧？", "可以？"])(
  "“%s” after a request leaves it unread",
  (tag) => {
    expect(read(whole.flatMap((request) => [`${request}，${tag}`, `${request}${tag}`]))).toEqual([]);
  },
);

describe("everyday requests are read", () => {
  test.each([
    ["帮我在Base上给 {A} 转 88 USDC，是房租押金，谢谢！", "Send 88 USDC to {A} on base."],
    ["请帮我转0.2个ETH给我妹妹，地址是 {A} 。", "Send 0.2 ETH to {A}."],
    ["店里水电费一共186.5 USDT，走Polygon，付给房东{A}，谢谢", "Send 186.5 USDT to {A} on polygon."],
    ["往 {A} 转 0.75 ETH，以太坊主网。", "Send 0.75 ETH to {A} on ethereum."],
    [
      "保姆李姐很细心，这个月工资310 USDC，请现在通过Arbitrum打到她的钱包{A}。",
      "Send 310 USDC to {A} on arbitrum.",
    ],
    [
      "收款地址：{A}\n币种：DAI\n数量：125\n网络：Optimism\n备注：插画尾款",
      "Send 125 DAI to {A} on optimism.",
    ],
    ["授权{A}使用150 USDC，不要无限授权。", "Approve {A} to spend 150 USDC."],
    ["取消{A}的USDT授权，额度归零", "Revoke the allowance of {A} for USDT."],
    ["把 2.5 ETH 包装成 WETH，Base主网。", "Wrap 2.5 ETH on base."],
    ["把Optimism上的0.5 WETH解包成ETH", "Unwrap 0.5 WETH on optimism."],
    [
      "在Uniswap V2上用0.4 ETH换USDT，最少要收到1100 USDT",
      "Swap 0.4 ETH for at least 1100 USDT on uniswap v2.",
    ],
  ])("%s", (text, asks) => {
    expect(asksFor(text)).toBe(asks);
  });
});

describe("acts of another person and texts that are no order are not read", () => {
  test.each([
    ["a person acts", "小王给 {A} 转 5 ETH"],
    ["a person acts on a network", "小王在Base上给 {A} 转 5 ETH"],
    ["a person acts after a comma", "爸爸很高兴，给 {A} 转 5 ETH"],
    ["a person is asked", "请小王转 5 ETH 给 {A}"],
    ["a person asked", "小王请我转 5 ETH 给 {A}"],
    ["a line of a chat", "小王：转 5 ETH 给 {A}"],
    ["an exercise", "英语课：转 5 ETH 给 {A}"],
    ["the future", "将转 5 ETH 给 {A}"],
    ["a report", "转了 5 ETH 给 {A}"],
    ["a report with its sentence's end", "5 ETH 转给 {A} 了"],
    ["a report of the past", "转过 5 ETH 给 {A}"],
    ["a noun", "给 {A} 的 5 ETH"],
    ["the subject of a sentence", "给 {A} 转 5 ETH 是小王的工资"],
    ["a condition without a word for it", "货物到家请转 5 ETH 给 {A}"],
    ["the same with a comma", "货物到家，请转 5 ETH 给 {A}"],
    ["a day", "在春节给 {A} 转 5 ETH"],
    ["another wallet", "从他的钱包转 5 ETH 给 {A}"],
    ["an address that pays", "把 {A} 转给我的 5 ETH"],
    ["a second recipient", "给 {A} 和小王转 5 ETH"],
    ["a recipient after the recipient", "转 5 ETH 到 {A}，给小王"],
    ["a least amount", "请转至少 5 ETH 给 {A}"],
    ["an order not to pay more", "不要多转 5 ETH 给 {A}"],
    ["a foreign word", "请转 5 ETH 给 {A}。Nope"],
    ["a foreign word in capitals", "请转 5 ETH 给 {A}。NOT"],
    ["a foreign sentence before it", "Don't do this. 请转 5 ETH 给 {A}。"],
    ["an unknown character", "请转 5 ETH 给 {A}，龘"],
    ["a question", "转 5 ETH 给 {A}？"],
    ["two networks", "请在Base上转 5 ETH 给 {A}，以太坊主网"],
  ])("%s", (_, text) => {
    expect(asksFor(text)).toBeNull();
  });
});

test.each(["谢谢！", "辛苦了", "这是仓库的租金", "就这些", "别的资产都不要动", "不多不少", "转完告诉我一声"])(
  "“%s” after a request changes nothing",
  (sentence) => {
    expect(
      whole.filter((request) => asksFor(`${request}。${sentence}。`) !== asksFor(`${request}。`)),
    ).toEqual([]);
  },
);
