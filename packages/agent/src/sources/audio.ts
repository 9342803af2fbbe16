import type { ReadingValues } from '@inkling/contract'
import { Unsupported } from '../collect/unsupported.ts'

const FRAMES = 5_000
/** The compressor has settled by then. */
const FIRST_FRAME = 4_500
const LEVEL = 0.5

/** What the machine's floating-point maths makes of an oscillator. Nothing is played or recorded. */
export async function audio(): Promise<ReadingValues['audio']> {
  if (typeof OfflineAudioContext === 'undefined') throw new Unsupported()
  const [first, second] = await Promise.all([render(), render()])
  return { sum: first.sum, stable: first.sum === second.sum && first.exact && second.exact }
}

async function render(): Promise<{ sum: number; exact: boolean }> {
  const context = new OfflineAudioContext(2, FRAMES, 44_100)
  const merger = context.createChannelMerger(2)

  const oscillator = context.createOscillator()
  oscillator.type = 'sawtooth'
  oscillator.frequency.value = 8_200
  const compressor = context.createDynamicsCompressor()
  compressor.threshold.value = -45
  compressor.knee.value = 35
  compressor.ratio.value = 14
  compressor.attack.value = 0
  compressor.release.value = 0.2
  oscillator.connect(compressor).connect(merger, 0, 0)

  // A known signal in the other channel. Brave and Safari 17 change what is read in a way that may
  // repeat within a visit, so rendering twice would not show it; a constant that is not constant does.
  const constant = context.createConstantSource()
  constant.offset.value = LEVEL
  constant.connect(merger, 0, 1)

  merger.connect(context.destination)
  oscillator.start()
  constant.start()
  const rendered = await context.startRendering()
  return {
    sum: rendered
      .getChannelData(0)
      .subarray(FIRST_FRAME)
      .reduce((sum, sample) => sum + Math.abs(sample), 0),
    exact: rendered.getChannelData(1).every((sample) => sample === LEVEL),
  }
}
