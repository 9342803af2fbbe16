import { Unsupported } from '../collect/source.ts'

const TYPES = [
  'audio/aac',
  'audio/flac',
  'audio/mp4; codecs="ac-3"',
  'audio/mp4; codecs="alac"',
  'audio/mp4; codecs="ec-3"',
  'audio/mp4; codecs="flac"',
  'audio/mp4; codecs="mp4a.40.2"',
  'audio/mp4; codecs="mp4a.40.42"',
  'audio/mpeg',
  'audio/ogg; codecs="opus"',
  'audio/ogg; codecs="vorbis"',
  'audio/wav; codecs="1"',
  'audio/webm; codecs="opus"',
  'audio/x-m4a',
  'video/mp4; codecs="av01.0.05M.08"',
  'video/mp4; codecs="avc1.42E01E"',
  'video/mp4; codecs="avc1.640028"',
  'video/mp4; codecs="dvh1.05.06"',
  'video/mp4; codecs="hev1.1.6.L93.B0"',
  'video/mp4; codecs="hvc1.1.6.L93.B0"',
  'video/mp4; codecs="vp09.00.10.08"',
  'video/mp4; codecs="vvc1.1.L51.CQA"',
  'video/ogg; codecs="theora"',
  'video/quicktime',
  'video/webm; codecs="av01.0.05M.08"',
  'video/webm; codecs="vp8"',
  'video/webm; codecs="vp9"',
  'video/x-matroska; codecs="avc1.42E01E"',
]

/**
 * The types that the browser says it may play. Not part of a device's identity: Firefox 153 says yes to AAC until it
 * has looked for the system's decoders, which it does at the first question after its start.
 */
export function codecs(): string[] {
  const video = document.createElement('video')
  if (typeof video.canPlayType !== 'function') throw new Unsupported()
  return TYPES.filter((type) => video.canPlayType(type) !== '')
}
