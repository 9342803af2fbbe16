import { type Chance, chanceOf } from './chance.ts'
import type { BrowserName, Hardware, Screen, Software } from './device.ts'
import { FONT_PACKS, SYSTEM_FONTS } from './fonts.ts'

/** Machines as they are sold: what one has depends on the model, so components go together. */

export interface Bought {
  hardware: Hardware
  software: Software
}

const CHROME_NOW = 148
export const screen = (width: number, height: number, pixelRatio = 1): Screen => ({
  width,
  height,
  pixelRatio,
})

export const MONITORS = [
  screen(1920, 1080),
  screen(2560, 1440),
  screen(3840, 2160, 1.5),
  screen(1680, 1050),
  screen(3440, 1440),
  screen(1920, 1200),
  screen(1600, 900),
  screen(2560, 1080),
  screen(1280, 1024),
  screen(2560, 1600),
  screen(3840, 1600),
  screen(5120, 1440),
]
const LAPTOP_PANELS = [
  screen(1536, 864, 1.25),
  screen(1920, 1080),
  screen(1366, 768),
  screen(1280, 720, 1.5),
  screen(1440, 900, 2),
  screen(1707, 1067, 1.5),
  screen(1600, 900),
  screen(1280, 800, 1.5),
  screen(1504, 1003, 1.5),
  screen(1463, 914, 1.75),
  screen(2048, 1152, 1.25),
  screen(1920, 1200),
]

/** The catalogue is the same for every seed: a seed draws people, not the market. */
const market = chanceOf(20_260_501)

const GPUS = [
  ...[
    'RTX 3060',
    'RTX 4060',
    'GTX 1650',
    'RTX 3070',
    'GTX 1060 6GB',
    'RTX 4070',
    'GTX 1660 SUPER',
    'RTX 2060',
    'RTX 3080',
    'GTX 1050 Ti',
    'RTX 4080',
    'RTX 3050',
    'RTX 5070',
    'GTX 970',
    'RTX 4090',
    'RTX 3060 Ti',
    'GTX 1080',
    'RTX 2070 SUPER',
    'GTX 750 Ti',
    'RTX 5060',
    'RTX 5080',
    'GT 1030',
  ].map((name) => `NVIDIA|NVIDIA GeForce ${name}`),
  ...[
    'RX 6600',
    'RX 580 2048SP',
    'RX 7800 XT',
    'RX 5700 XT',
    'RX 6700 XT',
    'RX 570',
    'RX 7600',
    'RX 9070',
    'Vega 8',
    'RX 6800',
    'RX 480',
  ].map((name) => `AMD|AMD Radeon ${name}`),
  ...[
    'UHD Graphics 630',
    'UHD Graphics',
    'Iris Xe Graphics',
    'UHD Graphics 770',
    'HD Graphics 530',
    'UHD Graphics 620',
    'HD Graphics 4600',
    'Arc A750',
    'HD Graphics 4000',
    'UHD Graphics 730',
  ].map((name) => `Intel|Intel(R) ${name}`),
]
const LAPTOP_GPUS = [
  'Intel|Intel(R) Iris(R) Xe Graphics',
  'Intel|Intel(R) UHD Graphics',
  'AMD|AMD Radeon(TM) Graphics',
  'Intel|Intel(R) UHD Graphics 620',
  'NVIDIA|NVIDIA GeForce RTX 3050 Laptop GPU',
  'Intel|Intel(R) Arc(TM) Graphics',
  'NVIDIA|NVIDIA GeForce RTX 4060 Laptop GPU',
  'Intel|Intel(R) HD Graphics 520',
  'AMD|AMD Radeon(TM) 780M Graphics',
  'NVIDIA|NVIDIA GeForce GTX 1650 Ti',
  'Intel|Intel(R) HD Graphics 5500',
  'NVIDIA|NVIDIA GeForce RTX 4050 Laptop GPU',
  'Intel|Intel(R) UHD Graphics 605',
  'AMD|AMD Radeon(TM) Vega 8 Graphics',
]

type Model = Pick<Hardware, 'cores' | 'memoryGb' | 'touchPoints' | 'model' | 'gpu' | 'screen'>

const LAPTOPS: readonly Model[] = Array.from({ length: 110 }, () => ({
  cores: market.pick([4, 8, 8, 12, 16, 16, 20, 22, 14]),
  memoryGb: market.pick([8, 8, 16, 16, 16, 32, 4]),
  touchPoints: market.happens(0.2) ? 10 : 0,
  model: '',
  gpu: market.pickByRank(LAPTOP_GPUS, 0.6),
  screen: market.pickByRank(LAPTOP_PANELS, 0.7),
}))
const MACS: readonly Model[] = Array.from({ length: 24 }, (_, index) => ({
  cores: [8, 8, 10, 10, 11, 12, 14, 8][index % 8] ?? 8,
  memoryGb: market.pick([8, 16, 16, 32]),
  touchPoints: 0,
  model: '',
  gpu: `Apple|Apple M${1 + (index % 4)}${market.pick(['', '', ' Pro', ' Max'])}`,
  screen: market.pick([
    screen(1440, 900, 2),
    screen(1512, 982, 2),
    screen(1728, 1117, 2),
    screen(1470, 956, 2),
    screen(2560, 1440, 2),
    screen(1680, 1050, 2),
  ]),
}))
const ANDROID_SCREENS = [
  screen(412, 915, 2.625),
  screen(360, 800, 3),
  screen(393, 873, 2.75),
  screen(384, 854, 2.8125),
  screen(412, 892, 3.5),
  screen(360, 780, 3),
  screen(393, 851, 2.75),
  screen(432, 960, 2.5),
  screen(360, 806, 2),
  screen(385, 854, 2.8),
  screen(411, 823, 3.5),
  screen(448, 998, 2.25),
]
const ANDROIDS: readonly (Model & { vendor: string })[] = Array.from({ length: 300 }, (_, index) => {
  const vendor = market.pickByRank(
    ['Samsung', 'Xiaomi', 'Google', 'Motorola', 'OnePlus', 'Oppo', 'Honor', 'Sony'],
    1,
  )
  return {
    vendor,
    cores: 8,
    memoryGb: market.pick([4, 4, 8, 8, 8, 2, 16]),
    touchPoints: market.happens(0.9) ? 5 : 10,
    model: `${vendor.slice(0, 2).toUpperCase()}-${index}`,
    gpu: market.happens(0.55)
      ? `Qualcomm|Adreno (TM) ${market.pick([610, 612, 618, 619, 620, 640, 642, 650, 660, 710, 730, 740, 750, 830])}`
      : `ARM|Mali-G${market.pick([52, 57, 68, 71, 72, 76, 77, 78, 610, 615, 710, 715, 720])}`,
    screen: market.pickByRank(ANDROID_SCREENS, 0.5),
  }
})
const IPHONES: readonly Model[] = (
  [
    [390, 844],
    [393, 852],
    [430, 932],
    [402, 874],
    [428, 926],
    [375, 812],
    [414, 896],
    [440, 956],
    [375, 667],
  ] as const
).map(([width, height]) => ({
  cores: 4,
  memoryGb: 0,
  touchPoints: 5,
  model: '',
  gpu: 'Apple|Apple GPU',
  screen: screen(width, height, width === 375 && height === 667 ? 2 : 3),
}))

export const withFonts = (base: readonly string[], ...more: (readonly string[])[]): string[] =>
  [...new Set([...base, ...more.flat()])].sort()

/** Many never install more than an office suite. */
const STOCK_SHARE = 0.62
const OFFICE_FONTS = [...(FONT_PACKS[0]?.[0] ?? [])]

/** Fonts of programs that this machine's owner installed. */
export const installed = (chance: Chance): string[] =>
  chance.happens(STOCK_SHARE)
    ? chance.pick([[], OFFICE_FONTS])
    : FONT_PACKS.flatMap(([fonts, share]) => (chance.happens(share) ? fonts : []))

export const MEDIA = ['audioinput', 'audiooutput', 'videoinput']

export function buyDesktop(chance: Chance): Bought {
  const system = chance.pickWeighted([
    ['Windows', 0.78],
    ['macOS', 0.17],
    ['Linux', 0.05],
  ] as const)
  if (system === 'macOS') return buyMac(chance)
  const laptop = chance.happens(0.6)
  const model: Model = laptop
    ? chance.pickByRank(LAPTOPS, 1)
    : {
        cores: chance.pickByRank([12, 16, 8, 4, 6, 24, 20, 32, 28], 0.6),
        memoryGb: chance.pickByRank([16, 32, 8, 4], 0.6),
        touchPoints: 0,
        model: '',
        gpu: chance.pickByRank(GPUS, 0.8),
        screen: chance.pickByRank(MONITORS, 1),
      }
  const browser = chance.pickWeighted<BrowserName>([
    ['Chrome', 0.66],
    ['Edge', 0.15],
    ['Firefox', 0.13],
    ['Brave', 0.02],
    ['Opera', 0.04],
  ])
  const eleven = chance.happens(0.7)
  const base =
    system === 'Linux'
      ? SYSTEM_FONTS.linux
      : withFonts(SYSTEM_FONTS.windows10, eleven ? SYSTEM_FONTS.windows11 : [])
  return {
    hardware: {
      ...model,
      system,
      gpuDriver: system === 'Windows' ? driverOf(chance) : '',
      architecture: 'x86',
      mediaDevices:
        laptop || chance.happens(0.5) ? MEDIA : chance.pick([['audiooutput'], ['audioinput', 'audiooutput']]),
      colorGamut: chance.happens(0.15) ? 'p3' : 'srgb',
    },
    software: {
      ...browserNow(browser, chance),
      systemVersion: system === 'Linux' ? '6.8.0' : eleven ? chance.pick(['15.0.0', '19.0.0']) : '10.0.0',
      fonts: withFonts(base, installed(chance)),
      raster:
        system === 'Windows'
          ? chance.pickByRank(['', 'cleartype-2', 'greyscale', 'cleartype-3'], 1.8)
          : chance.pickByRank(['slight', 'full', 'none'], 1),
    },
  }
}

function buyMac(chance: Chance): Bought {
  const model = chance.pickByRank(MACS, 0.3)
  const browser = chance.pickWeighted<BrowserName>([
    ['Safari', 0.45],
    ['Chrome', 0.47],
    ['Firefox', 0.08],
  ])
  return {
    hardware: {
      ...model,
      system: 'macOS',
      cores: browser === 'Safari' ? 8 : model.cores,
      gpu: browser === 'Safari' ? 'Apple|Apple GPU' : model.gpu,
      gpuDriver: '',
      architecture: 'arm',
      mediaDevices: MEDIA,
      colorGamut: 'p3',
    },
    software: {
      ...browserNow(browser, chance),
      systemVersion: chance.pickByRank(['15.7.1', '26.1.0', '14.8.0', '15.6.0', '13.7.8'], 0.7),
      fonts: withFonts(SYSTEM_FONTS.mac, browser === 'Safari' ? [] : installed(chance)),
      raster: '',
    },
  }
}

export function buyAndroid(chance: Chance): Bought {
  const { vendor, ...model } = chance.pickByRank(ANDROIDS, 0.9)
  const browser = chance.pickWeighted<BrowserName>([
    ['Chrome', 0.86],
    ['Samsung', vendor === 'Samsung' ? 0.25 : 0],
    ['Firefox', 0.02],
  ])
  const systemVersion = chance.pickByRank(['15.0.0', '14.0.0', '16.0.0', '13.0.0', '12.0.0'], 0.6)
  return {
    hardware: {
      ...model,
      system: 'Android',
      gpuDriver: '',
      architecture: 'arm',
      mediaDevices: MEDIA,
      colorGamut: chance.happens(0.5) ? 'p3' : 'srgb',
    },
    software: {
      ...browserNow(browser, chance),
      systemVersion,
      fonts:
        vendor === 'Samsung' && chance.happens(0.06)
          ? withFonts(SYSTEM_FONTS.android, ['Comic Sans MS'])
          : SYSTEM_FONTS.android,
      raster: `${vendor} ${systemVersion}`,
    },
  }
}

export function buyIphone(chance: Chance): Bought {
  const model = chance.pickByRank(IPHONES, 0.6)
  const systemVersion = chance.pickByRank(['26.1', '18.7', '26.0', '17.7'], 1)
  return {
    hardware: {
      ...model,
      system: 'iOS',
      gpuDriver: '',
      architecture: 'arm',
      mediaDevices: MEDIA,
      colorGamut: 'p3',
    },
    software: {
      ...browserNow('Safari', chance),
      major: Number.parseInt(systemVersion, 10),
      build: systemVersion,
      systemVersion,
      fonts: SYSTEM_FONTS.ios,
      raster: '',
    },
  }
}

/** One order of laptops with one image on them. */
export function buyFleetImage(chance: Chance): Bought {
  const model = chance.pickByRank(LAPTOPS, 0.4)
  const browser = chance.pickWeighted<BrowserName>([
    ['Chrome', 0.6],
    ['Edge', 0.4],
  ])
  return {
    hardware: {
      ...model,
      system: 'Windows',
      gpuDriver: driverOf(chance),
      architecture: 'x86',
      mediaDevices: MEDIA,
      colorGamut: 'srgb',
    },
    software: {
      ...browserNow(browser, chance),
      systemVersion: chance.pick(['15.0.0', '19.0.0', '10.0.0']),
      fonts: withFonts(
        SYSTEM_FONTS.windows10,
        SYSTEM_FONTS.windows11,
        OFFICE_FONTS,
        chance.happens(0.3) ? installed(chance) : [],
      ),
      raster: '',
    },
  }
}

export const buyMonitor = (chance: Chance): Screen => chance.pickByRank(MONITORS, 1)

/** Most machines run one of a few recent drivers. */
export const DRIVERS: readonly string[] = Array.from(
  { length: 60 },
  () =>
    `D3D11-${market.pick([27, 30, 31, 32])}.0.${market.pick([101, 15, 21])}.${1000 + market.below(9_000)}`,
)
export const driverOf = (chance: Chance): string => chance.pickByRank(DRIVERS, 1)

export function browserNow(
  browser: BrowserName,
  chance: Chance,
): Pick<Software, 'browser' | 'major' | 'build'> {
  const behind = chance.happens(0.75) ? 0 : chance.happens(0.8) ? 1 : chance.below(14)
  const now = browser === 'Firefox' ? CHROME_NOW - 2 : browser === 'Safari' ? 26 : CHROME_NOW
  const major = Math.max(now - (browser === 'Safari' ? Math.min(1, behind) : behind), 17)
  return { browser, major, build: `${major}.0.${7000 + major}.${chance.below(120)}` }
}
