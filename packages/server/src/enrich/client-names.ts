/** Names of ua-parser-js that are shown differently. */
const BROWSERS: Record<string, string> = {
  'Mobile Chrome': 'Chrome',
  'Chrome Headless': 'Chrome',
  'Mobile Safari': 'Safari',
  'Mobile Firefox': 'Firefox',
  Edge: 'Microsoft Edge',
  IE: 'Internet Explorer',
  'Opera Touch': 'Opera',
  'Opera Mobi': 'Opera',
  'Opera Tablet': 'Opera',
  'Opera GX': 'Opera',
  'Samsung Browser': 'Samsung Internet',
  Yandex: 'Yandex Browser',
  Silk: 'Amazon Silk',
  UCBrowser: 'UC Browser',
  QQBrowser: 'QQ Browser',
  GSA: 'Google App',
  WebKit: 'WebView',
}

/** Browsers that have an iOS edition, which uses WebKit. */
const IOS_EDITIONS = new Set([
  'Chrome',
  'Safari',
  'Firefox',
  'Microsoft Edge',
  'Opera',
  'Brave',
  'Vivaldi',
  'Yandex Browser',
  'DuckDuckGo',
  'Google App',
  'WebView',
])

export const browserName = (parsed: string | undefined): string =>
  parsed === undefined ? 'Unknown' : (BROWSERS[parsed] ?? parsed)

export const iosEdition = (browser: string): string =>
  IOS_EDITIONS.has(browser) ? `${browser} (iOS)` : browser

/**
 * Brands in client hints, the most specific first: browsers based on Chromium also list Chromium, and some Google
 * Chrome. GREASE brands match none. https://wicg.github.io/ua-client-hints/#grease
 */
export const HINT_BRANDS: [brand: string, browser: string][] = [
  ['Microsoft Edge', 'Microsoft Edge'],
  ['Microsoft Edge WebView2', 'Microsoft Edge WebView2'],
  ['Opera', 'Opera'],
  ['Opera GX', 'Opera'],
  ['OperaMobile', 'Opera'],
  ['Brave', 'Brave'],
  ['Vivaldi', 'Vivaldi'],
  ['YaBrowser', 'Yandex Browser'],
  ['Yandex', 'Yandex Browser'],
  ['Samsung Internet', 'Samsung Internet'],
  ['DuckDuckGo', 'DuckDuckGo'],
  ['HuaweiBrowser', 'Huawei Browser'],
  ['Android WebView', 'Chrome WebView'],
  ['Google Chrome', 'Chrome'],
  ['HeadlessChrome', 'Chrome'],
]

const SYSTEMS: Record<string, string> = {
  'Mac OS': 'Mac OS X',
  macOS: 'Mac OS X',
  'Chromium OS': 'ChromeOS',
  'Chrome OS': 'ChromeOS',
  'Windows Mobile': 'Windows Phone',
  KAIOS: 'KaiOS',
  OpenHarmony: 'HarmonyOS',
}

/** Distributions of ua-parser-js, all shown as Linux. */
const LINUX = new Set([
  'Arch',
  'CentOS',
  'Debian',
  'Deepin',
  'Fedora',
  'GNU',
  'Gentoo',
  'Joli',
  'Kubuntu',
  'Linpus',
  'Linux',
  'Linspire',
  'Mageia',
  'Mandriva',
  'Manjaro',
  'Mint',
  'PCLinuxOS',
  'RedHat',
  'Sabayon',
  'Slackware',
  'SUSE',
  'Ubuntu',
  'Unix',
  'VectorLinux',
  'Xubuntu',
  'Zenwalk',
  'elementary OS',
])

/** The system's name. iOS has one per kind of device. */
export function systemName(parsed: string | undefined, model: string | undefined): string {
  if (parsed === undefined) return 'Unknown'
  if (parsed === 'iOS') return model === 'iPad' ? 'IOS (iPad)' : 'IOS (iPhone)'
  if (LINUX.has(parsed)) return 'Linux'
  return SYSTEMS[parsed] ?? parsed
}

export const DESKTOP_SYSTEMS = new Set([
  'Windows',
  'Mac OS X',
  'Linux',
  'ChromeOS',
  'FreeBSD',
  'OpenBSD',
  'NetBSD',
  'DragonFly',
  'Solaris',
])

/** System names by platform in client hints. */
export const HINT_PLATFORMS: Record<string, string> = {
  Windows: 'Windows',
  macOS: 'Mac OS X',
  Linux: 'Linux',
  Android: 'Android',
  'Chrome OS': 'ChromeOS',
  'Chromium OS': 'ChromeOS',
}
