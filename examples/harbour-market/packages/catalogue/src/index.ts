export { Allergen, ProductAllergen } from './allergen';
export { Attachment } from './attachment';
export { Category } from './category';
export { PriceTag } from './price-tag';
export { Product, ProductCollection } from './product';
export * from './units';
