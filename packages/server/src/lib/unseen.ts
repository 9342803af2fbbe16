/** Characters that show nothing, or change how what follows is shown: controls, directions, joiners, tags, variants. */
export const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/** A text of others for one line of a page or a log, without characters that could pretend something. */
export const withoutUnseen = (text: string, lengthMax: number): string =>
  [...text.replaceAll(UNSEEN, ' ').replaceAll(/\s+/g, ' ').trim()].slice(0, lengthMax).join('')
