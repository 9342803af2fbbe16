// Generated from packages/server/src/score/signals by `npm run docs`.

/** Every signal of this release with its default weight; 0 informs. */
export const SIGNAL_CATALOGUE = {
  javascript_disabled: {
    weight: 90,
    flag: "javascript_disabled",
    title: "JavaScript is disabled",
  },
  incomplete_evidence: {
    weight: 90,
    title: "Lacks what every visit has",
  },
  implausible_evidence: {
    weight: 60,
    title: "Values that no browser reports together",
  },
  replayed: {
    weight: 60,
    title: "Sent before",
  },
  client_mismatch: {
    weight: 60,
    title: "Not the browser it claims to be",
  },
  cookie_on_other_machine: {
    weight: 60,
    title: "Cookie of another machine",
  },
  antidetect_browser: {
    weight: 60,
    flag: "anti_detect_browser",
    title: "Anti-detect browser",
  },
  browser_automation: {
    weight: 60,
    flag: "browser_automation",
    title: "Browser automation",
  },
  honeytoken: {
    weight: 25,
    title: "Honeytoken used",
  },
  sticky_verdict: {
    weight: 45,
    flag: "anti_detect_browser",
    title: "Earlier verdict on this device",
  },
  tor: {
    weight: 99,
    flag: "tor",
    title: "Tor network",
  },
  privacy_relay: {
    weight: 15,
    flag: "privacy_relay",
    title: "Privacy relay",
  },
  vpn: {
    weight: 15,
    flag: "vpn",
    title: "VPN",
  },
  browser_vpn_proxy: {
    weight: 30,
    flag: "browser_vpn_proxy",
    title: "VPN or proxy built into the browser",
  },
  os_mismatch: {
    weight: 60,
    flag: "os_mismatch",
    title: "Operating system contradicts the network",
  },
  os_not_detected: {
    weight: 30,
    flag: "os_not_detected",
    title: "Operating system not detected",
  },
  proxy: {
    weight: 10,
    flag: "proxy",
    title: "Proxy",
  },
  datacenter_ip: {
    weight: 10,
    flag: "datacenter_ip",
    title: "Data-center address",
  },
  abuser: {
    weight: 10,
    flag: "abuser",
    title: "Address with a bad reputation",
  },
  timezone_mismatch: {
    weight: 10,
    flag: "timezone_mismatch",
    title: "Browser time zone contradicts the address",
  },
  stun_not_checked: {
    weight: 30,
    flag: "stun_not_checked",
    title: "Network check missing",
  },
  stun_late_correction: {
    weight: -30,
    title: "Network check passed late",
  },
  ip_mismatch: {
    weight: 0,
    flag: "ip_mismatch",
    title: "Two different addresses",
  },
  incognito: {
    weight: 0,
    flag: "incognito",
    title: "Private window",
  },
  check_incomplete: {
    weight: 0,
    flag: "check_incomplete",
    title: "Browser check incomplete",
  },
} as const
