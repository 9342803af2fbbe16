/** Fonts that come with a system or a program, out of the list that the agent tests. */
const words = (text: string): string[] => text.split(',')

export const SYSTEM_FONTS = {
  windows10: words(
    'Arial,Bahnschrift,Comic Sans MS,Constantia,Corbel,Ebrima,Gadugi,Georgia,HoloLens MDL2 Assets,Impact,Ink Free,Segoe UI,Sitka Text,Tahoma,Verdana,Yu Gothic UI',
  ),
  windows11: words('Sans Serif Collection,Segoe UI Variable Text'),
  mac: words(
    'Academy Engraved LET,Arial,Avenir,Comic Sans MS,Galvji,Georgia,Grantha Sangam MN,Hiragino Sans,Impact,Luminari,Menlo,Mukta Mahee,Optima,Phosphate,PingFang SC,STIX Two Text,Silom,Skia,Tahoma,Trattatello,Verdana',
  ),
  linux: words('C059,DejaVu Sans,DejaVu Sans Condensed,Liberation Sans,Noto Sans'),
  android: words('Arial,Coming Soon,Georgia,Noto Serif,Roboto,Tahoma,Verdana'),
  ios: words(
    'Academy Engraved LET,Arial,Avenir,Galvji,Georgia,Grantha Sangam MN,Hiragino Sans,Menlo,Mukta Mahee,Optima,PingFang SC,STIX Two Text,Verdana',
  ),
}

/** Programs that bring fonts, and how many of the desktops have them. */
export const FONT_PACKS: readonly (readonly [fonts: readonly string[], share: number])[] = [
  [words('Bauhaus 93,Bookshelf Symbol 7,Grandview,Perpetua,Tw Cen MT'), 0.4],
  [words('Aptos'), 0.22],
  [words('Acumin Pro,Adobe Garamond Pro,Kozuka Gothic Pr6N'), 0.08],
  [words('Open Sans,Lato'), 0.08],
  [words('Fira Code'), 0.04],
  [words('JetBrains Mono'), 0.04],
  [words('Source Code Pro'), 0.06],
  [words('Ubuntu'), 0.04],
  [words('Inter'), 0.1],
  [words('BIZ UDGothic'), 0.05],
  [words('Swis721 BT'), 0.03],
  [words('Angsana New'), 0.04],
  [words('ISOCPEUR'), 0.03],
  [words('SF Pro'), 0.05],
  [words('Noto Sans CJK JP'), 0.04],
  [words('Cantarell'), 0.02],
  [words('FreeSerif,Carlito'), 0.03],
  [words('WenQuanYi Zen Hei'), 0.02],
  [words('Lohit Devanagari'), 0.02],
]
