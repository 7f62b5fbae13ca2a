export type { Quantity, QuantityFormat } from './quantity.js';
export {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  quantityMilliValue,
  quantityValue,
  subtractQuantities,
} from './quantity.js';
