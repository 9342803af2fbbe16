import { encode } from 'uqr'

/** Readers need an empty border of four modules (ISO/IEC 18004). */
const BORDER = 4
const SIZE_PX = 208

/** A QR code, drawn here: its text is a secret. Dark on light in both colour schemes, because readers expect that. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: BORDER })
  const path = data
    .flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('')
  return (
    <svg width={SIZE_PX} height={SIZE_PX} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  )
}
