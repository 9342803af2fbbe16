import type { Identified } from '../../visit/identification.ts'
import { valueIn } from '../define-signal.ts'
import { consoleReader, workerConsoleReader } from './console-reader.ts'

/** Something that a driven browser shows; see `drivingIndicators` for what it counts. */
export interface DrivingFact {
  name: string
  /** Facts of one group may have one cause outside of programs. */
  group: string
  points: number
  shown: boolean
}

type Visit = Pick<Identified, 'readings' | 'client'>

/** Facts that a page shows before any input. */
export const factsAtLoad = (visit: Visit): DrivingFact[] => [...readerFacts(visit), ...surfaceFacts(visit)]

function readerFacts({ readings }: Visit): DrivingFact[] {
  const ofPage = consoleReader({ readings }) === 'program'
  return [
    /**
     * A program reads the console and debugs nothing, as DevTools do: Puppeteer, Playwright and ChromeDriver, on phones too.
     * Recorders of bugs that attach as an extension may, and DevTools that show no asynchronous stacks.
     */
    { name: 'console_reader', group: 'reader', points: 20, shown: ofPage },
    /**
     * It reads that of workers as well: libraries attach to all threads of a page. A recorder of bugs attaches to the tab.
     */
    {
      name: 'worker_console_reader',
      group: 'worker_reader',
      points: 20,
      shown: workerConsoleReader({ readings }) === 'program',
    },
    /**
     * ChromeDriver lets every page know the position from the start. People allow it on pages that they have visited.
     * Beside a reader alone, because it is nothing without one.
     */
    {
      name: 'allowed_position',
      group: 'permissions',
      points: 10,
      shown: ofPage && valueIn(readings.permissions)?.geolocation === 'granted',
    },
  ]
}

/** Points of a made-up keyboard: beside other signs of a browser without display or with a driver, and alone. */
const KEYBOARD_POINTS = { beside: 20, alone: 14 }

/** What Chromium is like without a display, which it can be on Linux. A person sees nothing of it. */
function surfaceFacts({ readings, client }: Visit): DrivingFact[] {
  const isDesktop = client.engine === 'Blink' && client.deviceType === 'desktop'
  // Also where it claims to be on another system: that has its keys from there.
  const isMadeUp = isDesktop && valueIn(readings.keyboard)?.made_up === true
  const mayBe = isMadeUp || (isDesktop && client.os === 'Linux')
  const hasNoPointer =
    mayBe && valueIn(readings.preferences)?.pointer === 'none' && !valueIn(readings.preferences)?.hover
  const isDriven = readerFacts({ readings, client }).some(({ shown }) => shown)
  return [
    /**
     * None of the X11 and Wayland layouts that Chromium takes from the system looks like this. Built without them it makes up
     * a keyboard for people as well: QtWebEngine 6.4 without X11 has the same one, and so may kiosks, signs and cars.
     */
    {
      name: 'made_up_keyboard',
      group: 'surface',
      points: hasNoPointer || isDriven ? KEYBOARD_POINTS.beside : KEYBOARD_POINTS.alone,
      shown: isMadeUp,
    },
    /** Neither mouse nor touch screen. Signs and machines that are reached from elsewhere may have none. */
    { name: 'no_pointer', group: 'pointer', points: 10, shown: hasNoPointer },
  ]
}
