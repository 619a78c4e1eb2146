// Renders the icons of the installed app from public/icon.svg: node build/make-icons.ts
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";

const folder = join(import.meta.dirname, "../public");
const logo = readFileSync(join(folder, "icon.svg"), "utf8");

/** Systems crop a maskable icon to a circle of 80 %, so its ground fills the square and the mark is smaller. */
const maskable = logo
  .replace('rx="7"', "")
  .replace(/(<rect[^>]*>)([^]*)(<\/svg>)/, '$1<g transform="translate(4.8 4.4) scale(.7)">$2</g>$3');
/** Phones round the corners themselves. */
const square = logo.replace('rx="7"', "");

const icons = [
  { file: "icon-180.png", size: 180, svg: square },
  { file: "icon-192.png", size: 192, svg: logo },
  { file: "icon-512.png", size: 512, svg: logo },
  { file: "icon-maskable-512.png", size: 512, svg: maskable },
];

const browser = await chromium.launch({
  executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium-headless-shell",
  args: ["--no-sandbox"],
});
for (const { file, size, svg } of icons) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(`<style>body{margin:0}svg{display:block;width:100vw}</style>${svg}`);
  await page.screenshot({ path: join(folder, file), omitBackground: true });
}
await browser.close();
