export * from './vehicle';
export { MotorVehicle } from './motor-vehicle';
export { CargoBike } from './cargo-bike';
export { HarbourBoat } from './harbour-boat';
export { Van } from './van';
export { RefrigeratedVan } from './refrigerated-van';
