import type { Chance } from './chance.ts'
import type { Screen } from './device.ts'
import { SYSTEM_FONTS } from './fonts.ts'
import {
  type Bought,
  browserNow,
  buyFleetImage,
  driverOf,
  installed,
  MEDIA,
  screen,
  withFonts,
} from './machines.ts'

/** What people buy who are unlike the customers of the reference population. */

const GAMING_GPUS = [
  'RTX 4070',
  'RTX 3060',
  'RTX 4060',
  'RTX 5070',
  'RTX 4080',
  'RTX 3070',
  'RTX 4090',
  'RTX 5080',
]
const GAMING_MONITORS: readonly Screen[] = [
  screen(2560, 1440),
  screen(1920, 1080),
  screen(3440, 1440),
  screen(3840, 2160, 1.5),
]

/** A PC put together of the few parts that everybody recommends that year. */
export function buyGamingPc(chance: Chance): Bought {
  return {
    hardware: {
      system: 'Windows',
      cores: chance.pickByRank([16, 12, 24, 32], 0.8),
      memoryGb: chance.pickByRank([32, 16], 0.8),
      touchPoints: 0,
      model: '',
      gpu: `NVIDIA|NVIDIA GeForce ${chance.pickByRank(GAMING_GPUS, 0.6)}`,
      gpuDriver: driverOf(chance),
      screen: chance.pickByRank(GAMING_MONITORS, 0.7),
      architecture: 'x86',
      mediaDevices: chance.happens(0.35) ? MEDIA : ['audioinput', 'audiooutput'],
      colorGamut: chance.happens(0.3) ? 'p3' : 'srgb',
    },
    software: {
      ...browserNow(
        chance.pickWeighted([
          ['Chrome', 0.62],
          ['Opera', 0.16],
          ['Firefox', 0.12],
          ['Brave', 0.06],
          ['Edge', 0.04],
        ]),
        chance,
      ),
      systemVersion: chance.pick(['15.0.0', '19.0.0', '19.0.0']),
      fonts: withFonts(
        SYSTEM_FONTS.windows10,
        SYSTEM_FONTS.windows11,
        chance.happens(0.3) ? installed(chance) : [],
      ),
      raster: chance.pickByRank(['', 'cleartype-2', 'greyscale'], 2.5),
    },
  }
}

/** Of a few dozen cheap models, the first of which a third of the country has. */
export function buyCheapAndroid(chance: Chance): Bought {
  const model = chance.pickByRank([...Array(36).keys()], 1)
  const [width, height, pixelRatio] = (
    [
      [360, 800, 2],
      [360, 806, 2],
      [393, 873, 2.75],
      [360, 780, 2],
    ] as const
  )[model % 4] ?? [360, 800, 2]
  const systemVersion = chance.pickByRank(
    model % 3 === 0 ? ['14.0.0', '13.0.0'] : ['13.0.0', '12.0.0', '14.0.0'],
    1,
  )
  return {
    hardware: {
      system: 'Android',
      cores: 8,
      memoryGb: [4, 2, 4, 8][(model >> 1) % 4] ?? 4,
      touchPoints: 5,
      model: `CH-${model}`,
      gpu:
        model % 2 === 0
          ? `ARM|Mali-G${[52, 57][(model >> 1) % 2]}`
          : `Qualcomm|Adreno (TM) ${[610, 619][(model >> 1) % 2]}`,
      gpuDriver: '',
      screen: screen(width, height, pixelRatio),
      architecture: 'arm',
      mediaDevices: MEDIA,
      colorGamut: 'srgb',
    },
    software: {
      ...browserNow('Chrome', chance),
      systemVersion,
      fonts: SYSTEM_FONTS.android,
      raster: `${model % 5} ${systemVersion}`,
    },
  }
}

const CHROMEBOOKS = [
  { cores: 2, memoryGb: 4, screen: screen(1366, 768), gpu: 'Intel|Mesa Intel(R) UHD Graphics 600 (GLK 2)' },
  { cores: 4, memoryGb: 8, screen: screen(1366, 768), gpu: 'Intel|Mesa Intel(R) UHD Graphics (JSL)' },
  { cores: 8, memoryGb: 4, screen: screen(1366, 768), gpu: 'ARM|Mali-G57 MC2' },
]
const TABLETS = [screen(810, 1080, 2), screen(820, 1180, 2), screen(768, 1024, 2)]

/** One order of a school: Chromebooks, tablets, or a room of PCs. */
export function buySchoolImage(chance: Chance): Bought {
  const kind = chance.pickWeighted([
    ['Chromebook', 0.55],
    ['tablet', 0.3],
    ['PC', 0.15],
  ] as const)
  if (kind === 'PC') return buyFleetImage(chance)
  return kind === 'tablet' ? buyTablet(chance) : buyChromebook(chance)
}

function buyChromebook(chance: Chance): Bought {
  return {
    hardware: {
      ...chance.pick(CHROMEBOOKS),
      system: 'ChromeOS',
      touchPoints: 0,
      model: '',
      gpuDriver: '',
      architecture: 'x86',
      mediaDevices: MEDIA,
      colorGamut: 'srgb',
    },
    software: {
      ...browserNow('Chrome', chance),
      systemVersion: chance.pick(['16433.50.0', '16371.65.0']),
      fonts: SYSTEM_FONTS.linux,
      raster: 'chromebook',
    },
  }
}

/** Safari of a tablet says that it is a Mac, but for its touch points. */
function buyTablet(chance: Chance): Bought {
  return {
    hardware: {
      system: 'macOS',
      cores: 8,
      memoryGb: 0,
      touchPoints: 5,
      model: '',
      gpu: 'Apple|Apple GPU',
      gpuDriver: '',
      screen: chance.pick(TABLETS),
      architecture: 'arm',
      mediaDevices: MEDIA,
      colorGamut: 'srgb',
    },
    software: {
      ...browserNow('Safari', chance),
      systemVersion: chance.pickByRank(['26.1', '18.7'], 1),
      fonts: SYSTEM_FONTS.ios,
      raster: '',
    },
  }
}
