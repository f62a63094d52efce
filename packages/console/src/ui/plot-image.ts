const SCALE = 2;
const PADDING = 24;
const TITLE_PX = 40;
/**
 * Styles that are copied into the picture, because the stylesheet does not apply outside of the
 * page.
 */
const STYLES = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'font', 'opacity'] as const;

/** Saves the plot of a card as a PNG with its title, in the present colours. */
export const drawPlotImage = async (svg: SVGSVGElement, title: string): Promise<Blob | null> => {
  const { width, height } = svg.getBoundingClientRect();
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([serializePlot(svg)], { type: 'image/svg+xml' }));
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = (width + 2 * PADDING) * SCALE;
  canvas.height = (height + TITLE_PX + 2 * PADDING) * SCALE;
  const context = canvas.getContext('2d');
  if (context === null) return null;
  const page = getComputedStyle(document.documentElement);
  context.scale(SCALE, SCALE);
  context.fillStyle = page.getPropertyValue('--surface');
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = page.getPropertyValue('--ink');
  context.font = `600 16px ${page.getPropertyValue('--font')}`;
  context.fillText(title, PADDING, PADDING + 16);
  context.drawImage(image, PADDING, PADDING + TITLE_PX, width, height);
  URL.revokeObjectURL(image.src);
  return new Promise((resolve) => {
    canvas.toBlob(resolve);
  });
};

/** Returns the plot as SVG text. Every element contains its styles. */
const serializePlot = (svg: SVGSVGElement): string => {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  const copies = copy.querySelectorAll<SVGElement>('*');
  for (const [index, original] of svg.querySelectorAll<SVGElement>('*').entries()) {
    const shown = getComputedStyle(original);
    for (const name of STYLES) copies[index]?.style.setProperty(name, shown.getPropertyValue(name));
  }
  return new XMLSerializer().serializeToString(copy);
};
