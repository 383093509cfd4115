extends AnimationTree
## A blend space that Motionloom sampled from a motion space.
##
## Set [member request] at any time, in the units of the table beside this file. Poses follow it,
## and so does the pace: all clips are stretched to one length to stay in sync, and play faster or
## slower together.

## What the motion should do: x and y are the axes of the blend space. With one axis, y is ignored.
@export var request := Vector2.ZERO:
	set(value):
		request = value
		_follow()

## Seconds that each point of the blend space takes by itself.
@export var durations := PackedFloat32Array()

## Seconds to which all clips are stretched.
@export var timeline := 1.0

## Animation -> names and seconds of its sync markers, in turns.
@export var markers := {}


func _ready() -> void:
	_add_markers()
	_follow()


func _follow() -> void:
	if not is_node_ready():
		return
	var space := (tree_root as AnimationNodeBlendTree).get_node(&"space")
	var weights := {}
	if space is AnimationNodeBlendSpace1D:
		set(&"parameters/space/blend_position", request.x)
		weights = _weights_on_line(space, request.x)
	else:
		set(&"parameters/space/blend_position", request)
		weights = _weights_in_triangles(space, request)
	var duration := 0.0
	for point in weights:
		duration += weights[point] * durations[point]
	if duration > 0.0:
		set(&"parameters/rate/scale", timeline / duration)


func _weights_on_line(space: AnimationNodeBlendSpace1D, at: float) -> Dictionary:
	var below := -1
	var above := -1
	for point in space.get_blend_point_count():
		var place := space.get_blend_point_position(point)
		if place <= at and (below < 0 or place > space.get_blend_point_position(below)):
			below = point
		if place >= at and (above < 0 or place < space.get_blend_point_position(above)):
			above = point
	if below < 0 or above < 0 or below == above:
		return {maxi(below, above): 1.0}
	var part := inverse_lerp(
		space.get_blend_point_position(below), space.get_blend_point_position(above), at
	)
	return {below: 1.0 - part, above: part}


func _weights_in_triangles(space: AnimationNodeBlendSpace2D, at: Vector2) -> Dictionary:
	var nearest := {}
	var min_distance := INF
	for triangle in space.get_triangle_count():
		var points := [0, 1, 2].map(func(corner): return space.get_triangle_point(triangle, corner))
		var places := points.map(func(point): return space.get_blend_point_position(point))
		if Geometry2D.point_is_inside_triangle(at, places[0], places[1], places[2]):
			return _weights_of_corners(points, places, at)
		for corner in 3:
			var next := (corner + 1) % 3
			var found := Geometry2D.get_closest_point_to_segment(at, places[corner], places[next])
			if at.distance_to(found) < min_distance:
				min_distance = at.distance_to(found)
				nearest = _weights_of_corners(points, places, found)
	return nearest


func _weights_of_corners(points: Array, places: Array, at: Vector2) -> Dictionary:
	var area: float = (places[1] - places[0]).cross(places[2] - places[0])
	if is_zero_approx(area):
		return {points[0]: 1.0}
	var first: float = (places[1] - at).cross(places[2] - at) / area
	var second: float = (places[2] - at).cross(places[0] - at) / area
	return {points[0]: first, points[1]: second, points[2]: 1.0 - first - second}


func _add_markers() -> void:
	var player := get_node_or_null(anim_player) as AnimationPlayer
	for clip in markers:
		if player == null or not player.has_animation(clip):
			continue
		var animation := player.get_animation(clip)
		if not animation.has_method(&"add_marker"):  # before Godot 4.4
			return
		for n in range(0, markers[clip].size(), 2):
			# Names of markers must differ within an animation.
			animation.add_marker("%d_%s" % [n / 2, markers[clip][n]], markers[clip][n + 1])
