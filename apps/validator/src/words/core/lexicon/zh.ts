/** Chinese, simplified, with the traditional forms of frequent words. */
import { makeGrammar } from "../grammar.ts";
import { english } from "./en.ts";
import { finished, people, things } from "./zh-words.ts";

const list = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== "");
const pairs = (firsts: readonly string[], seconds: readonly string[]): readonly string[] =>
  firsts.flatMap((first) => seconds.map((second) => `${first}${second}`));
const all = (...groups: readonly (readonly string[])[]): string => groups.flat().join(", ");

/** Verbs that move money, and their complements: 转给, 打到, 付至. */
const moves = list(
  "转 转账 转帐 打 打款 发 发送 付 付款 支付 汇 汇款 拨 拨付 捐 捐赠 送 还 归还 退 退还 退款 划 划转 转移 轉 轉帳 轉賬 匯 匯款 發送 發",
);
const directions = list("给 到 至 去 往 入 进 給");
/** Another person acts next, or it is a time: 将转 is not 将 5 ETH 转. */
const announced = list(
  "转 付 给 向 于 会 在 把 要 被 由 从 发 打 汇 支付 授权 撤 换 用 来 捐 退 还 交 送 拨",
);
const festivals = list(
  "春节 中秋 中秋节 国庆 国庆节 元旦 圣诞 圣诞节 新年 清明 清明节 端午 端午节 七夕 情人节 母亲节 父亲节 儿童节 教师节 劳动节 妇女节 重阳节 元宵 元宵节 除夕 万圣节 感恩节 复活节 开斋节 生日 周年 满月 周岁 婚礼 葬礼 年会 假期 假日 暑假 寒假 周末 晚年 夜班 节日 纪念日 毕业典礼 开学 毕业 过年 过节 过生日 放学 下班 下课 退休 有效期 当天 当年 那天 晚上 早上 上午 中午 下午 傍晚 夜里 早晨",
);

export const chinese = makeGrammar(
  "zh",
  {
    pay: all(moves, pairs(moves, directions)),
    revoke: all(
      pairs(list("撤销 撤回 取消 解除 收回 移除 清除 关闭 关掉"), ["授权"]),
      pairs(
        list("授权 授权额度 额度 权限"),
        list("撤销 撤销掉 撤掉 撤回 取消 取消掉 解除 解除掉 收回 收回来 清零 归零 清除 移除 关掉"),
      ),
    ),
    ask: all(
      pairs(
        list(
          "请 請 烦请 麻烦 麻烦你 麻烦您 劳烦 劳烦您 劳驾 拜托 拜托你 请你 请您 能不能 可不可以 能否 可否 你能不能 您能不能 辛苦",
        ),
        list("帮我 帮忙 帮我们 帮 协助 替我"),
      ),
      pairs(
        list("请 麻烦 麻烦你 麻烦您 帮我 请帮我 麻烦帮我 请你 请您 我想 我要 请帮忙"),
        list("现在 现在就 马上 立刻 立即 尽快 今天 直接 赶紧 务必"),
      ),
    ),
    thanks: all(
      pairs(
        pairs(list("转 付 打 办 弄 发 转账 付款 搞定 做 处理"), list("完 好 完了 好了 完后 好后")),
        list(
          "告诉我 告诉我一声 跟我说一声 通知我 说一声 叫我一声 通知我一声 告诉我就行 告诉我一声就行 跟我说一声就行",
        ),
      ),
      pairs(list("完成后 搞定后 搞定了"), list("告诉我 通知我 跟我说一声 告诉我一声")),
    ),
    go: all(
      pairs(
        list("请 麻烦 请尽快 请现在 请立即 请马上 尽快 现在 马上 立即 请今天 今天"),
        list("付款 支付 转账 打款 汇款 转 付 处理 办理 安排 执行 转过去 打过去 安排付款 安排转账 安排支付"),
      ),
    ),
    done: all(
      pairs(
        pairs(list("别的 其他 其他的 其它 其它的"), [
          "",
          "资产",
          "币",
          "代币",
          "资产都",
          "币都",
          "代币都",
          "都",
          "账户",
          "钱",
        ]),
        list("不要动 别动 不动 不用动 不要碰 别碰"),
      ),
    ),
    explains: all(
      pairs(
        ["当", "当作", "作为", "算"],
        list(
          "红包 礼物 生日礼物 手续费 零花钱 学费 房租 押金 生活费 小费 定金 路费 饭钱 贺礼 礼金 奖金 奖励 工资 车费 医药费 油费 伙食费 压岁钱 份子钱 补贴 报酬 酬劳 结婚红包 生日红包 新婚红包 见面礼 谢礼 心意 赞助 捐款 会费 班费 活动费",
        ),
      ),
    ),
    revoked: all(
      pairs(list("撤销 撤回 取消 解除 收回 移除 清除 关闭 关掉"), ["授权"]),
      pairs(
        list("授权 授权额度 额度 权限"),
        list("撤销 撤销掉 撤掉 撤回 取消 取消掉 解除 解除掉 收回 收回来 清零 归零 清除 移除 关掉"),
      ),
    ),
    least: all(
      pairs(
        pairs(list("至少 最少 我至少 我最少"), ["", "要", "得", "能"]),
        list("收到 得到 拿到 换到 换回 获得 到账"),
      ),
    ),
    frames: all(pairs(["将"], announced), festivals),
  },
  undefined,
  {
    people,
    things: [...things, "个", "位", "份", "笔"],
    verbs: finished,
    networks: new Map([
      ["主网", { low: "ethereum", chain: 1, isGeneral: true }],
      ["主網", { low: "ethereum", chain: 1, isGeneral: true }],
      ["以太坊", { low: "ethereum", chain: 1, isGeneral: false }],
      ["以太坊主网", { low: "ethereum", chain: 1, isGeneral: false }],
      ["以太坊网络", { low: "ethereum", chain: 1, isGeneral: false }],
      ["以太坊链", { low: "ethereum", chain: 1, isGeneral: false }],
    ]),
    counters: new Set(["个", "個", "枚", "颗"]),
    introduces: new Set(["拿", "在", "于", "用", "走", "通过"]),
    follows: new Set(["上", "上的"]),
    suggests: new Set(["吧", "啊", "哦", "呀"]),
    directs: (word) => /[给給到至往向去入进]$/u.test(word),
    labels: (word) => /(?:[费款钱租薪酬金]|工资|红包|奖励|费用|小费)$/u.test(word),
    foreign: english,
  },
);
