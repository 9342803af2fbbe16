import { Unsupported } from '../collect/source.ts'
import { turns } from '../collect/turns.ts'

/**
 * Families that only one kind of system has. The first three of a kind come with all its versions: where they are
 * missing, so is the rest, which is then not looked for.
 */
const FONTS_OF_SYSTEMS = [
  // Windows by version, 7 to 11, then its optional fonts, which come with a language that the user adds. See
  // https://learn.microsoft.com/typography/fonts/windows_11_font_list
  'Segoe UI,Corbel,Constantia,Ebrima,Gadugi,Sitka Text,Yu Gothic UI,HoloLens MDL2 Assets,Bahnschrift,Ink Free,' +
    'Segoe UI Variable Text,Sans Serif Collection,Aldhabi,Gisha,Shonar Bangla,Aparajita,DengXian,DFKai-SB,' +
    'BIZ UDGothic,Gulim,Vijaya,Angsana New,Arial Nova',
  // macOS and iOS by version, and what Apple offers to developers. See https://support.apple.com/guide/font-book
  'Menlo,Optima,Avenir,Hiragino Sans,PingFang SC,Luminari,Phosphate,Mukta Mahee,Galvji,STIXGeneral,STIX Two Text,' +
    'Grantha Sangam MN,Skia,Silom,Trattatello,Academy Engraved LET,SF Pro,SF Mono',
  // Linux by distribution, desktop and installed scripts
  'DejaVu Sans,Liberation Sans,Noto Sans,DejaVu Sans Condensed,Liberation Sans Narrow,Cantarell,Adwaita Sans,Ubuntu,' +
    'Ubuntu Sans,Red Hat Text,Droid Sans Fallback,FreeSerif,C059,Noto Sans Mono,Noto Sans CJK JP,WenQuanYi Zen Hei,' +
    'Lohit Devanagari,Loma,Padauk',
  // Android and ChromeOS by vendor
  'Roboto,Noto Serif,Arimo,Coming Soon,Google Sans,SamsungOne,MiSans,HarmonyOS Sans',
]
/** Families that programs bring to any system. */
const FONTS_OF_PROGRAMS = [
  // Office suites: Microsoft's, on disk and from its cloud, with Asian editions; then LibreOffice
  'Bauhaus 93,Tw Cen MT,Perpetua,Bookshelf Symbol 7,Aptos,Grandview,FZShuTi,HGPSoeiKakugothicUB,HYGothic-Medium',
  'Carlito,Caladea,Linux Libertine G,OpenSymbol',
  // Design, print, construction and science
  'Adobe Garamond Pro,Acumin Pro,Kozuka Gothic Pr6N,Swis721 BT,ISOCPEUR,Euclid,Latin Modern Math',
  // Programmers and web designers
  'Cascadia Code,Fira Code,Hack,IBM Plex Mono,JetBrains Mono,Source Code Pro,Inter,Lato,Montserrat,Open Sans',
  // Sold with Windows and macOS, added to Linux by hand
  'Arial,Comic Sans MS,Georgia,Impact,Tahoma,Verdana',
].join()
const SHARED_BY_VERSIONS = 3

/** The characters whose widths differ most between fonts, measured as a share of the average on eight families. */
const SAMPLE = 'JM@Y^{#&K'
/** Two, because a font may be the very one that stands behind the first. */
const FALLBACKS = ['monospace', 'serif'] as const

/**
 * Which fonts out of the list are installed: those in which text is not as wide as in the fallback, which is an old
 * technique (https://lalit.org/lab/javascript-css-font-detect/). Measured on a canvas that is never shown, because
 * elements would make the page compute its layout.
 */
export async function typefaces(): Promise<string[]> {
  const context = document.createElement('canvas').getContext('2d')
  if (!context) throw new Unsupported()
  const width = (family: string): number => {
    context.font = `40px ${family}`
    return context.measureText(SAMPLE).width
  }
  const plain = FALLBACKS.map((fallback) => ({ fallback, expected: width(fallback) }))
  const found: string[] = []
  const turn = turns()
  const search = async (names: string[]): Promise<void> => {
    for (const name of names) {
      if (plain.some(({ fallback, expected }) => width(`"${name}",${fallback}`) !== expected))
        found.push(name)
      await turn()
    }
  }

  await search(FONTS_OF_PROGRAMS.split(','))
  for (const group of FONTS_OF_SYSTEMS) {
    const names = group.split(',')
    const before = found.length
    await search(names.splice(0, SHARED_BY_VERSIONS))
    if (found.length > before) await search(names)
  }
  return found.sort()
}
