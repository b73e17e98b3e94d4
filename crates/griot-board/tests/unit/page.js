// What the page's modules expect of a browser when they are read. They draw nothing here.

globalThis.navigator ??= { language: 'en' };

/** A module of the page. */
export const page = (name) => import(`../../assets/${name}.js`);
