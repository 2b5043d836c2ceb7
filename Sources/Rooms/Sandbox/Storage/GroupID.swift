import CutieAPI

/// The devices that share an inbox; a device that is not linked is alone in its own.
enum DeviceGroup {}
typealias GroupID = Identifier<DeviceGroup>
