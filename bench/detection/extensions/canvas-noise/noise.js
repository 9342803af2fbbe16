/** As blockers of fingerprints do: one bit of some pixels is another in each page. */
const noisy = (context, width, height) => {
  if (!context || !width || !height) return
  const image = get.call(context, 0, 0, width, height)
  for (let at = 0; at < image.data.length; at += 37) image.data[at] ^= (seed >> (at % 8)) & 1
  context.putImageData(image, 0, 0)
}
const seed = Math.floor(Math.random() * 255)
const get = CanvasRenderingContext2D.prototype.getImageData
const { toDataURL, toBlob } = HTMLCanvasElement.prototype
CanvasRenderingContext2D.prototype.getImageData = function getImageData(...area) {
  const image = get.apply(this, area)
  for (let at = 0; at < image.data.length; at += 37) image.data[at] ^= (seed >> (at % 8)) & 1
  return image
}
HTMLCanvasElement.prototype.toDataURL = function (...how) {
  noisy(this.getContext('2d'), this.width, this.height)
  return toDataURL.apply(this, how)
}
HTMLCanvasElement.prototype.toBlob = function (...how) {
  noisy(this.getContext('2d'), this.width, this.height)
  return toBlob.apply(this, how)
}
