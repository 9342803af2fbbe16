import type { ReadingName } from '@inkling/contract'

export type Cohort = 'desktop' | 'android' | 'phone' | 'fleet' | 'attacker'

export interface Hardware {
  system: 'Windows' | 'macOS' | 'Linux' | 'ChromeOS' | 'Android' | 'iOS'
  cores: number
  /** As the browser rounds it. */
  memoryGb: number
  touchPoints: number
  /** UA-CH model; empty on desktops. */
  model: string
  gpu: string
  /** The name's driver part; changes with a driver update. */
  gpuDriver: string
  screen: Screen
  architecture: 'x86' | 'arm'
  mediaDevices: readonly string[]
  colorGamut: string
}

export interface Screen {
  width: number
  height: number
  pixelRatio: number
}

export type BrowserName = 'Chrome' | 'Edge' | 'Firefox' | 'Safari' | 'Brave' | 'Opera' | 'Samsung'

export interface Software {
  systemVersion: string
  browser: BrowserName
  major: number
  build: string
  /** Font names out of the agent's list, sorted. */
  fonts: readonly string[]
  /** Names what else the rasteriser depends on, such as a ClearType setting. */
  raster: string
}

export interface Preferences {
  languages: readonly string[]
  timezone: string
  offsetMinutes: number
  colorScheme: 'light' | 'dark'
  reducedMotion: boolean
  doNotTrack: string | null
  zoom: number
}

/** Where a device may be; each place hands out addresses in its own way. */
export interface Place {
  /** IPv4 or IPv6 for one visit. */
  address(): string
  /** Probability that a visit from here has this address now, of IPv6 its first half; nobody asks where it is missing. */
  odds?(address: string): number
}

export interface Habits {
  places: readonly (readonly [place: Place, weight: number])[]
  /** A second screen that it is docked to now and then. */
  dock: Screen | undefined
}

/** A device as it is now. Operators change it between visits. */
export interface Device {
  index: number
  cohort: Cohort
  hardware: Hardware
  software: Software
  preferences: Preferences
  habits: Habits
  cookieId: string
  home: { country: number }
}

/** What holds for one visit only; operators change it on top of the device's state. */
export interface VisitState {
  cookieId: string
  hardware: Hardware
  software: Software
  preferences: Preferences
  address: string
  /** Noise on drawings and audio, which reading twice shows. */
  noise: boolean
  /** Fewer facts: no hints, no memory, no media devices. */
  insecure: boolean
  /** A private window. */
  hidden: boolean
  /** Another profile of the browser, or a stolen cookie: no cookie of `Device.cookieId`. */
  otherCookie?: boolean
  /** Readings that an attacker leaves out. */
  withheld?: readonly ReadingName[]
}
