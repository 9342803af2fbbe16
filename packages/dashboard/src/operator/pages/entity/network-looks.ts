import type { MantineTheme } from '@mantine/core'
import type Sigma from 'sigma'
import type { NodeHoverDrawingFunction } from 'sigma/rendering'
import type { NodeName, NodeType } from './entity-network.ts'

/** Hues of a kind, for the drawing and its legend. */
export const HUES: Record<NodeType, string> = {
  device_id: 'indigo',
  visitor_id: 'teal',
  user_hid: 'grape',
  ip: 'orange',
  local_ip: 'red',
  cookie_id: 'gray',
}

interface Colors {
  ofKind: Record<NodeType, string>
  text: string
  edge: string
  background: string
  drawHover: NodeHoverDrawingFunction
}

export const colorOf = (theme: MantineTheme, dark: boolean, type: NodeType): string =>
  shade(theme, HUES[type], dark ? 3 : 7)

export function colorsOf(theme: MantineTheme, dark: boolean): Colors {
  const [text, background] = dark
    ? [shade(theme, 'dark', 0), shade(theme, 'dark', 6)]
    : [shade(theme, 'dark', 9), '#ffffff']
  const types = Object.keys(HUES) as NodeType[]
  return {
    ofKind: Object.fromEntries(types.map((type) => [type, colorOf(theme, dark, type)])) as Colors['ofKind'],
    text,
    background,
    edge: dark ? shade(theme, 'dark', 3) : shade(theme, 'gray', 4),
    drawHover: (context, { x, y, size, label }, { labelSize }) => {
      context.lineWidth = 3
      context.strokeStyle = text
      context.beginPath()
      context.arc(x, y, size + 3, 0, 2 * Math.PI)
      context.stroke()
      if (!label) return
      context.font = `600 ${labelSize}px sans-serif`
      context.strokeStyle = background
      context.lineWidth = 4
      context.strokeText(label, x + size + 6, y + labelSize / 3)
      context.fillStyle = text
      context.fillText(label, x + size + 6, y + labelSize / 3)
    },
  }
}

const shade = ({ colors }: MantineTheme, hue: string, index: number): string =>
  colors[hue]?.[index] ?? '#888888'

const LABEL_LENGTH = 16

export function shortened(type: NodeName['type'], value: string): string {
  if (type === 'ip' || type === 'local_ip') return value
  if (type !== 'user_hid') return `${value.slice(0, 8)}…`
  return value.length > LABEL_LENGTH ? `${value.slice(0, LABEL_LENGTH - 1)}…` : value
}

/** Saves what is drawn now. WebGL keeps a picture only until the task ends, so it is drawn anew and copied at once. */
export function savePicture(sigma: Sigma, background: string) {
  sigma.refresh({ schedule: false })
  const layers = Object.values(sigma.getCanvases())
  const picture = document.createElement('canvas')
  const [first] = layers
  if (!first) return
  picture.width = first.width
  picture.height = first.height
  const context = picture.getContext('2d')
  if (!context) return
  context.fillStyle = background
  context.fillRect(0, 0, picture.width, picture.height)
  for (const layer of layers)
    if (layer.width > 0) context.drawImage(layer, 0, 0, picture.width, picture.height)
  picture.toBlob((blob) => {
    if (!blob) return
    const link = document.createElement('a')
    link.href = URL.createObjectURL(blob)
    link.download = 'graph.png'
    link.click()
    URL.revokeObjectURL(link.href)
  })
}
