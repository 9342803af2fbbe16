import type { ReadingValues } from '@inkling/contract'
import { turns } from '../collect/turns.ts'
import { Unsupported } from '../collect/unsupported.ts'
import { hash } from './lib/hash.ts'

/**
 * What the machine's fonts and rasteriser make of two drawings. Text is drawn by the processor, because
 * there its letters depend on the fonts and not on the state of the GPU process; shapes may use the GPU.
 */
export async function canvas(): Promise<ReadingValues['canvas']> {
  const text = await draw(TEXT)
  const geometry = await draw(GEOMETRY)
  const again = [await draw(TEXT), await draw(GEOMETRY)]
  return {
    text,
    geometry,
    winding: evenOddWinding(),
    stable: text === again[0] && geometry === again[1] && readsBackExactly(),
  }
}

interface Drawing {
  width: number
  height: number
  settings?: CanvasRenderingContext2DSettings
  steps: readonly ((context: CanvasRenderingContext2D) => void)[]
}

/** Where pixels are read without asking the GPU for them. */
const ON_PROCESSOR: CanvasRenderingContext2DSettings = { willReadFrequently: true }

/** Kerning pairs, an accent, other scripts and emoji: each comes from another font, and loading one is slow. */
const TEXT: Drawing = {
  width: 220,
  height: 48,
  settings: ON_PROCESSOR,
  steps: [
    (context) => {
      // Without it Chromium 156 shapes letters by the zoom of the page and the scale of the monitor.
      context.textRendering = 'geometricPrecision'
      context.textBaseline = 'alphabetic'
      context.fillStyle = '#e4a02d'
      context.fillRect(96, 4, 60, 22)
      context.fillStyle = '#14508c'
      context.font = '12pt "No Such Font", Arial'
      context.fillText('AVTo fjwÅ', 3, 19)
    },
    (context) => context.fillText('凸ש', 88, 19),
    (context) => context.fillText('\u{1f9ff}\u{1f6fa}', 124, 19),
    (context) => {
      context.fillStyle = 'rgba(90, 30, 160, 0.6)'
      context.font = 'italic 15pt Georgia, serif'
      context.fillText('Quartz fi', 5.4, 40.3)
    },
    (context) => context.fillText('\u{1f600}', 96.2, 40.3),
  ],
}

const GEOMETRY: Drawing = {
  width: 96,
  height: 96,
  steps: [
    (context) => {
      context.globalCompositeOperation = 'multiply'
      for (const [color, x, y] of [
        ['#2fd6c5', 34.3, 34],
        ['#d62fc0', 62, 35.7],
        ['#d6cb2f', 48.5, 61],
      ] as const) {
        context.fillStyle = color
        context.beginPath()
        context.ellipse(x, y, 31, 27, 0.4, 0, Math.PI * 2)
        context.fill()
      }
    },
    (context) => {
      const fade = context.createLinearGradient(0, 0, 96, 70)
      fade.addColorStop(0, '#402f8a')
      fade.addColorStop(1, '#9be04f')
      context.fillStyle = fade
      context.arc(48, 48, 44, 0, Math.PI * 2, true)
      context.arc(48, 48, 13, 0, Math.PI * 2, true)
      context.fill('evenodd')
      context.shadowBlur = 7
      context.shadowColor = '#a33'
      context.strokeStyle = '#1d6'
      context.bezierCurveTo(4, 90, 70, 2, 92, 88)
      context.stroke()
    },
  ],
}

/** A canvas each time: reading one twice makes Chromium print advice to the console. */
function contextOf(width: number, height: number, settings?: CanvasRenderingContext2DSettings) {
  const element = document.createElement('canvas')
  element.width = width
  element.height = height
  const context = element.getContext('2d', settings)
  if (!context) throw new Unsupported()
  return context
}

/** Pixels, not a PNG: encoding is slow and differs between versions of the encoder. */
async function draw({ width, height, settings, steps }: Drawing): Promise<string> {
  const turn = turns(10)
  const context = contextOf(width, height, settings)
  for (const step of steps) {
    step(context)
    await turn()
  }
  return hash(new Uint32Array(context.getImageData(0, 0, width, height).data.buffer))
}

/**
 * Writes known pixels and reads them back. This finds noise that repeats within a visit, as Brave's and that
 * of Firefox's stricter modes (since 120) does; drawing twice finds only noise that changes.
 */
function readsBackExactly(): boolean {
  const size = 64
  const context = contextOf(size, size, ON_PROCESSOR)
  const written = context.createImageData(size, size)
  const pixels = new Uint32Array(written.data.buffer)
  // Opaque, so that no rounding by alpha happens on the way.
  for (let index = 0; index < pixels.length; index++) pixels[index] = Math.imul(index, 2_654_435) | 0xff000000
  context.putImageData(written, 0, 0)
  return hash(pixels) === hash(new Uint32Array(context.getImageData(0, 0, size, size).data.buffer))
}

function evenOddWinding(): boolean {
  const context = contextOf(9, 9)
  context.rect(0, 0, 9, 9)
  context.rect(2, 2, 5, 5)
  return !context.isPointInPath(4, 4, 'evenodd')
}
