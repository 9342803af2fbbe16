import { hash, type ReadingValues } from '@inkling/contract'
import { Unsupported } from '../collect/source.ts'

const RATE = 48_000
/** 24 blocks of 128 frames, the unit in which browsers render. */
const FRAMES = 3_072
const LEVEL = 0.375

/**
 * What the browser's audio code makes of two signals, rendered offline: nothing is played or recorded. The samples are
 * 32-bit floats that pass through long chains of additions and multiplications, so another FFT, vector unit, filter or
 * maths library changes their last bits.
 */
export async function waveform(): Promise<ReadingValues['waveform']> {
  if (typeof OfflineAudioContext === 'undefined') throw new Unsupported()
  const [first, second] = await Promise.all([render(), render()])
  return {
    synthesis: first.synthesis,
    resampling: first.resampling,
    stable:
      first.exact &&
      second.exact &&
      first.synthesis === second.synthesis &&
      first.resampling === second.resampling,
  }
}

async function render() {
  const context = new OfflineAudioContext(3, FRAMES, RATE)
  const merger = context.createChannelMerger(3)
  merger.connect(context.destination)
  synthesis(context).connect(merger, 0, 0)
  resampling(context).connect(merger, 0, 1)

  // A known level. Brave and Safari 17 alter what is read in a way that may repeat within a visit, so rendering twice
  // would not show it; a constant that is no longer constant does.
  const constant = context.createConstantSource()
  constant.offset.value = LEVEL
  constant.connect(merger, 0, 2)
  constant.start()

  const rendered = await context.startRendering()
  const bitsOf = (channel: number) =>
    hash(new Uint32Array(Float32Array.from(rendered.getChannelData(channel)).buffer))
  return {
    synthesis: bitsOf(0),
    resampling: bitsOf(1),
    exact: rendered.getChannelData(2).every((sample) => sample === LEVEL),
  }
}

function synthesis(context: OfflineAudioContext): AudioNode {
  // Partials of our own: the browser builds its wave table with an inverse FFT and reads it by interpolation. Engines
  // bring different FFTs, and macOS its own.
  const oscillator = context.createOscillator()
  oscillator.setPeriodicWave(
    context.createPeriodicWave(
      Float32Array.of(0, 0.9, 0, -0.4, 0.2, 0, 0.35, -0.1),
      Float32Array.of(0, 0, 0.6, 0.1, 0, -0.3, 0, 0.25),
    ),
  )
  oscillator.frequency.value = 523.7

  // A bent curve, fourfold oversampled: the resampling filters before and after it are each engine's own.
  const shaper = context.createWaveShaper()
  shaper.curve = Float32Array.of(-0.8, -0.75, -0.3, 0.1, 0.5, 0.6)
  shaper.oversample = '4x'

  // A sharp resonance: its coefficients come from sin, cos and pow, and its feedback keeps every rounding alive.
  const filter = context.createBiquadFilter()
  filter.type = 'peaking'
  filter.frequency.value = 2_617
  filter.Q.value = 11
  filter.gain.value = 13

  // Levels in decibels, with a soft knee and a release curve: exp, log and pow once per sample or block.
  const compressor = context.createDynamicsCompressor()
  compressor.threshold.value = -31
  compressor.knee.value = 17
  compressor.ratio.value = 5
  compressor.attack.value = 0.002
  compressor.release.value = 0.05

  oscillator.start()
  return oscillator.connect(shaper).connect(filter).connect(compressor)
}

function resampling(context: OfflineAudioContext): AudioNode {
  // Noise made of integers, so that it is the same everywhere, at a rate that does not divide the context's. Engines
  // convert it by a windowed sinc, with vector code of each processor, or by straight lines.
  const buffer = context.createBuffer(1, 512, 22_050)
  buffer.copyToChannel(
    Float32Array.from({ length: 512 }, (_, index) => ((index * index * 37) % 257) / 128 - 1),
    0,
  )
  const source = context.createBufferSource()
  source.buffer = buffer

  // The noise ends after a third of the time, and the filter rings on until its values are too small for normal
  // floats: some engines and processors compute those, others make them zero.
  const filter = context.createBiquadFilter()
  filter.frequency.value = 7_300
  filter.Q.value = 0

  source.start()
  return source.connect(filter)
}
