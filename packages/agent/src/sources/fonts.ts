import { turns } from '../collect/turns.ts'
import { Unsupported } from '../collect/unsupported.ts'

/**
 * Fonts that come with some systems, versions, languages or programs and not with others. The first three of a
 * system's group come with every version of it: where all three are missing, so is the rest.
 */
const FONTS_OF_SYSTEMS = [
  // Windows by version and language pack
  'Segoe UI,Calibri,Cambria Math,Aptos,Bahnschrift,Candara,Ebrima,Gabriola,Gadugi,HoloLens MDL2 Assets,Ink Free,' +
    'Javanese Text,Leelawadee UI,Marlett,Microsoft YaHei,MS Gothic,Meiryo,Malgun Gothic,PMingLiU,SimSun,' +
    'Nirmala UI,Segoe Fluent Icons,Segoe UI Variable Text,Sitka Text,Yu Gothic',
  // macOS and iOS by version
  'Helvetica Neue,Menlo,Geneva,American Typewriter,Apple SD Gothic Neo,Avenir Next,Futura,Galvji,Gill Sans,' +
    'Hiragino Sans,InaiMathi,Luminari,Monaco,PingFang HK,Rockwell,STIX Two Math,Savoye LET,SF Pro',
]
const OTHER_FONTS = [
  // Office and design programs
  'Agency FB,Bookman Old Style,Century Gothic,Franklin Gothic Medium,Haettenschweiler,Monotype Corsiva',
  'MT Extra,Minion Pro,Myriad Pro,Wingdings 2,ZWAdobeF,Univers CE 55 Medium,Arial Unicode MS,Leelawadee',
  // Linux, Android, ChromeOS and what developers install
  'Bitstream Vera Sans,Cantarell,DejaVu Sans,DejaVu Sans Mono,Droid Sans,Fira Code,FreeSans,JetBrains Mono',
  'Liberation Sans,Lohit Devanagari,Nimbus Sans,Noto Color Emoji,Noto Sans CJK JP,Noto Sans,Open Sans,Roboto',
  'Source Code Pro,Ubuntu,WenQuanYi Micro Hei,Arial,Courier New,Georgia,Verdana,Comic Sans MS,Lato,Tahoma',
].join()
const SHARED_BY_VERSIONS = 3

/** Wide, narrow and digit shapes, where fonts differ most. */
const SAMPLE = 'mwiWlI@0&'
/** Two, as a wanted font may be the very one that stands behind the first. */
const FALLBACKS = ['monospace', 'serif'] as const
/** Looking a font up takes up to half a millisecond. */
const SLICE_MS = 10

/**
 * A font is there when text set in it is not as wide as in the fallback. Measured on a canvas that is
 * never shown: no layout of the page happens, unlike with elements.
 */
export async function fonts(): Promise<string[]> {
  const context = document.createElement('canvas').getContext('2d')
  if (!context) throw new Unsupported()
  const width = (family: string): number => {
    context.font = `40px ${family}`
    return context.measureText(SAMPLE).width
  }
  const plain = FALLBACKS.map((fallback) => ({ fallback, expected: width(fallback) }))
  const found: string[] = []
  const turn = turns(SLICE_MS)
  const search = async (names: string[]): Promise<void> => {
    for (const name of names) {
      if (plain.some(({ fallback, expected }) => width(`"${name}",${fallback}`) !== expected))
        found.push(name)
      await turn()
    }
  }

  await search(OTHER_FONTS.split(','))
  for (const group of FONTS_OF_SYSTEMS) {
    const names = group.split(',')
    const before = found.length
    await search(names.splice(0, SHARED_BY_VERSIONS))
    if (found.length > before) await search(names)
  }
  return found.sort()
}
