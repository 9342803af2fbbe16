/** Fonts that come with a system or a program, out of the list that the agent tests. */
const words = (text: string): string[] => text.split(',')

export const SYSTEM_FONTS = {
  windows10: words(
    'Arial,Bahnschrift,Calibri,Cambria Math,Candara,Comic Sans MS,Courier New,Ebrima,Franklin Gothic Medium,Gabriola,Gadugi,Georgia,HoloLens MDL2 Assets,Ink Free,Javanese Text,Leelawadee UI,MS Gothic,Malgun Gothic,Marlett,Microsoft YaHei,Nirmala UI,PMingLiU,Segoe UI,SimSun,Sitka Text,Tahoma,Verdana,Yu Gothic',
  ),
  windows11: words('Segoe Fluent Icons,Segoe UI Variable Text'),
  mac: words(
    'American Typewriter,Apple SD Gothic Neo,Arial,Arial Unicode MS,Avenir Next,Comic Sans MS,Courier New,Futura,Galvji,Geneva,Georgia,Gill Sans,Helvetica Neue,Hiragino Sans,InaiMathi,Luminari,Menlo,Monaco,PingFang HK,Rockwell,STIX Two Math,Savoye LET,Tahoma,Verdana',
  ),
  linux: words('DejaVu Sans,DejaVu Sans Mono,Liberation Sans,Noto Color Emoji,Noto Sans'),
  android: words('Arial,Courier New,Droid Sans,Georgia,Noto Color Emoji,Roboto,Verdana'),
  ios: words(
    'American Typewriter,Apple SD Gothic Neo,Arial,Avenir Next,Courier New,Futura,Galvji,Georgia,Gill Sans,Helvetica Neue,Hiragino Sans,Menlo,PingFang HK,Rockwell,Savoye LET,Verdana',
  ),
}

/** Programs that bring fonts, and how many of the desktops have them. */
export const FONT_PACKS: readonly (readonly [fonts: readonly string[], share: number])[] = [
  [
    words(
      'Agency FB,Bookman Old Style,Century Gothic,Haettenschweiler,MT Extra,Monotype Corsiva,Wingdings 2',
    ),
    0.4,
  ],
  [words('Aptos'), 0.22],
  [words('Minion Pro,Myriad Pro,ZWAdobeF'), 0.08],
  [words('Open Sans,Lato'), 0.08],
  [words('Fira Code'), 0.04],
  [words('JetBrains Mono'), 0.04],
  [words('Source Code Pro'), 0.06],
  [words('Ubuntu'), 0.04],
  [words('Roboto'), 0.1],
  [words('Meiryo'), 0.05],
  [words('Univers CE 55 Medium'), 0.03],
  [words('Leelawadee'), 0.04],
  [words('Bitstream Vera Sans'), 0.03],
  [words('SF Pro'), 0.05],
  [words('Noto Sans CJK JP'), 0.04],
  [words('Cantarell'), 0.02],
  [words('FreeSans,Nimbus Sans'), 0.03],
  [words('WenQuanYi Micro Hei'), 0.02],
  [words('Lohit Devanagari'), 0.02],
]
