"""Great-circle distance from an origin."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from simulator.catalogue import Catalogue
from simulator.derivations.base import Derivation
from simulator.profile import Floats
from simulator.registry import register
from simulator.requests import Request
from simulator.state import Moment

EARTH_RADIUS_KM = 6371.0088


def haversine_km(latitude: Floats, longitude: Floats, to_latitude: float, to_longitude: float) -> Floats:
    """Great-circle distance in km between points in degrees: 2 R asin sqrt(hav(dphi) + cos phi1 cos phi2 hav(dlambda)).

    R = 6371.0088 km, the mean radius of the Earth (IUGG).
    """
    phi, lam = np.radians(latitude), np.radians(longitude)
    to_phi, to_lam = np.radians(to_latitude), np.radians(to_longitude)
    h = np.sin((phi - to_phi) / 2) ** 2 + np.cos(phi) * np.cos(to_phi) * np.sin((lam - to_lam) / 2) ** 2
    h = np.minimum(h, 1.0)  # rounding may exceed 1 between antipodes
    return np.asarray(2 * EARTH_RADIUS_KM * np.arcsin(np.sqrt(h)))


@register("derivation", "distance")
@dataclass(frozen=True)
class Distance(Derivation):
    """x(a) = kilometres from (`latitude`, `longitude`), or from the request's fields of these names if it has them."""

    latitude: float
    longitude: float
    latitude_column: str = "latitude"
    longitude_column: str = "longitude"

    depends_on = "request"

    def columns(self) -> tuple[str, ...]:
        """The two coordinate columns."""
        return (self.latitude_column, self.longitude_column)

    def check(self, catalogue: Catalogue) -> list[str]:
        """Coordinates must be on the globe."""
        catalogue.check_numbers(self.columns())
        return _off_the_globe(self.latitude, self.longitude)

    def check_request(self, request: Request) -> list[str]:
        """The request's own coordinates must be on the globe, too."""
        own = {name: request.fields[name] for name in ("latitude", "longitude") if name in request.fields}
        try:
            origin = self._origin(request)
            return [] if origin == (self.latitude, self.longitude) else _off_the_globe(*origin)
        except ValueError:
            return [f"{own} is not a place in degrees"]

    def compute(self, moment: Moment) -> Floats:
        """Distance `(N,)` in km."""
        latitude, longitude = (moment.catalogue.numbers(column) for column in self.columns())
        return haversine_km(latitude, longitude, *self._origin(moment.request))

    def _origin(self, request: Request) -> tuple[float, float]:
        own = [request.fields.get(name, "") for name in ("latitude", "longitude")]
        if all(str(value).strip() == "" for value in own):
            return self.latitude, self.longitude
        return float(own[0]), float(own[1])


def _off_the_globe(latitude: float, longitude: float) -> list[str]:
    if -90 <= latitude <= 90 and -180 <= longitude <= 180:
        return []
    return [f"({latitude:g}, {longitude:g}) is not a place in degrees"]
