extends SceneTree
# Plays the requests of requests.json and writes to played.json what every bone does, with the root motion put
# back into the bone named root.

var frame := 0


func _process(_delta):
	frame += 1
	if frame < 2:
		return false
	var wanted = JSON.parse_string(FileAccess.get_file_as_string("res://requests.json"))
	var out = {}
	for name in wanted:
		out[name] = []
		for job in wanted[name]:
			out[name].append(play(name, job))
	var file = FileAccess.open("res://played.json", FileAccess.WRITE)
	file.store_string(JSON.stringify(out))
	file.close()
	return true


func play(name, job):
	var node = load("res://%s/%s.tscn" % [name, name]).instantiate()
	root.add_child(node)
	var tree: AnimationTree = node.get_node("AnimationTree")
	tree.callback_mode_process = AnimationMixer.ANIMATION_CALLBACK_MODE_PROCESS_MANUAL
	tree.request = Vector2(job.at[0], job.at[1])
	var skeleton: Skeleton3D = node.get_node("Skeleton3D")
	tree.advance(0.0)
	var place := Transform3D.IDENTITY
	var frames = []
	for n in int(job.steps):
		if n > 0:
			tree.advance(job.delta)
			var turn = tree.get_root_motion_rotation()
			var local = tree.get_root_motion_rotation_accumulator().inverse() * tree.get_root_motion_position()
			place = place * Transform3D(Basis(turn), Vector3.ZERO)
			place.origin += place.basis * local
		var rows = []
		for bone in skeleton.get_bone_count():
			var r = skeleton.get_bone_pose_rotation(bone)
			var p = skeleton.get_bone_pose_position(bone)
			if skeleton.get_bone_name(bone) == "root":
				r = place.basis.get_rotation_quaternion() * r
				p = place.origin + place.basis * p
			rows.append([r.w, r.x, r.y, r.z, p.x, p.y, p.z])
		frames.append(rows)
	var names = []
	for bone in skeleton.get_bone_count():
		names.append(skeleton.get_bone_name(bone))
	node.free()
	return {"names": names, "frames": frames}
