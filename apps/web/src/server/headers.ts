/**
 * The CSP: only our own scripts, styles and calls; no framing. Trusted types are required, except for the two workers, whose
 * policies accept one address each (verify-in-worker.ts, service-worker-url.ts).
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "manifest-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types verify-in-worker service-worker",
].join("; ");

/** Denies all browser features except writing to the clipboard. */
const withheld = [
  "accelerometer",
  "autoplay",
  "browsing-topics",
  "camera",
  "clipboard-read",
  "display-capture",
  "encrypted-media",
  "fullscreen",
  "geolocation",
  "gyroscope",
  "hid",
  "idle-detection",
  "local-fonts",
  "magnetometer",
  "microphone",
  "midi",
  "payment",
  "picture-in-picture",
  "publickey-credentials-get",
  "screen-wake-lock",
  "serial",
  "usb",
  "xr-spatial-tracking",
];

/** Sent with every response. */
export const securityHeaders = ({
  isSecure,
}: {
  readonly isSecure: boolean;
}): Readonly<Record<string, string>> => ({
  "content-security-policy": contentSecurityPolicy,
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": withheld.map((feature) => `${feature}=()`).join(", "),
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  // Responses are private unless stated otherwise.
  "cache-control": "no-store",
  ...(isSecure ? { "strict-transport-security": "max-age=31536000" } : {}),
});
