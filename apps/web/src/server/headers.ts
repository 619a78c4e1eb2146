/**
 * What a page may do, and who may do what with it. Scripts, styles and calls are our own only; text never becomes markup or a
 * script (trusted types), but for the one address of verify-beside.ts; nobody frames us.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types verify-beside",
].join("; ");

/** Everything that a browser would otherwise let a page ask for. The clipboard's writing stays: addresses are copied. */
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

/** On every answer. */
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
  // What is answered is somebody's, unless it says otherwise.
  "cache-control": "no-store",
  ...(isSecure ? { "strict-transport-security": "max-age=31536000" } : {}),
});
